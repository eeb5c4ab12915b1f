import type { TraceBatch } from './trace-batch.ts';

export const traceFormats = ['asc', 'blf', 'candump', 'mf4'] as const;
export type TraceFormat = (typeof traceFormats)[number];

export const traceFiles: Readonly<
  Record<TraceFormat, { readonly title: string; readonly ending: string }>
> = {
  asc: { title: 'ASC trace', ending: '.asc' },
  blf: { title: 'BLF trace', ending: '.blf' },
  candump: { title: 'candump log', ending: '.log' },
  mf4: { title: 'MF4 trace', ending: '.mf4' },
};

/** Letters that begin with a vowel where they are spelled, as MF4 is. */
export const withArticle = (title: string, article: 'A' | 'a'): string =>
  `${article}${/^(?:[aeiou]|[AEFHILMNORSX][A-Z0-9])/.test(title) ? 'n' : ''} ${title}`;

/** Source of a trace's bytes. Blocking, because traces are read in threads without deadlines. */
export interface ByteSource {
  readonly size: number | null;
  read(into: Uint8Array): number;
  /** Reads at an offset and leaves the position of `read`; absent if the source cannot seek. */
  readAt?(into: Uint8Array, at: number): number;
}

export interface ByteSink {
  write(bytes: Uint8Array): void;
  /** Overwrites earlier bytes; absent if the sink cannot seek. */
  rewrite?(at: number, bytes: Uint8Array): void;
}

export interface TraceError {
  /** Line number from 1 in text, byte offset in a binary file. */
  readonly at: number;
  readonly message: string;
}

export interface TraceStats {
  readonly events: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** Number of malformed parts; `errors` lists the first few. */
  readonly malformed: number;
  readonly errors: readonly TraceError[];
  readonly gaps: number;
  readonly missed: number;
  readonly truncated: boolean;
}

/** Reads a trace sequentially in constant memory. */
export interface TraceReader {
  readonly format: TraceFormat;
  readonly startUnixUs: number | null;
  readonly position: number;
  readonly account: TraceStats;
  /** Names read up to now, by key; absent if channels only have numbers. */
  readonly channelNames?: ReadonlyMap<number, string>;
  /**
   * Clears the batch and fills it with the next events; returns false at the end. A call that
   * would take long returns a partial batch.
   */
  read(batch: TraceBatch): boolean;
  /**
   * Files that the trace contains, which only MF4 can. Those that cannot be read are counted as
   * skipped, so this is called once.
   */
  attachments?(): readonly TraceAttachment[];
}

/** Bytes without events after which a reader returns a partial batch. */
export const idleBytesPerRead = 256 * 1024;
const maxEventLength = 512;

export const readLimit = (from: number, events: number): number =>
  from + idleBytesPerRead + events * maxEventLength;

export type OpenTrace = (source: ByteSource) => TraceReader;

/** Writes a trace. All data is in the sink when a call returns, except for what a writer holds. */
export interface TraceWriter {
  write(batch: TraceBatch, from: number, to: number): void;
  note(timeNs: number, text: string): void;
  /** Writes a remark about the file itself; absent if remarks of both kinds are the same. */
  describe?(timeNs: number, text: string): void;
  /** Maximum number of bytes that `flush` writes. */
  readonly held?: number;
  flush?(): void;
  /** What the sink was given is in the file; absent if the writer needs not know. */
  keep?(): void;
  /** What the sink was given since `keep` is not in the file. */
  discard?(): void;
  /** Called when a channel name changed; absent if a file has one name per channel. */
  rename?(channel: number): void;
  end(): void;
  readonly unwritten?: Readonly<Record<string, number>>;
  /** Number of events before the start, which are written at the start. */
  readonly clamped?: number;
}

export interface TraceAttachment {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

export interface TraceWriteOptions {
  /** If null, BLF and MF4 files have no date and other formats start in 1970. */
  readonly startUnixUs: number | null;
  readonly channelName: (channel: number, bus: number) => string | null;
  /** Files to embed, which only MF4 can. */
  readonly attachments?: readonly TraceAttachment[];
}

export type CreateTrace = (sink: ByteSink, options: TraceWriteOptions) => TraceWriter;
