import type { TraceBatch } from './trace-batch.ts';

export const traceFormats = ['asc', 'blf', 'candump'] as const;
export type TraceFormat = (typeof traceFormats)[number];

export const traceFiles: Readonly<
  Record<TraceFormat, { readonly title: string; readonly ending: string }>
> = {
  asc: { title: 'ASC trace', ending: '.asc' },
  blf: { title: 'BLF trace', ending: '.blf' },
  candump: { title: 'candump log', ending: '.log' },
};

/** Source of a trace's bytes. Blocking, since traces are read in threads without deadlines. */
export interface ByteSource {
  /** Total bytes, if known. */
  readonly size: number | null;
  /** Fills the buffer from the front; returns the number of bytes, 0 at the end. */
  read(into: Uint8Array): number;
}

export interface ByteSink {
  write(bytes: Uint8Array): void;
  /** Overwrites earlier bytes; absent if the sink cannot seek. */
  rewrite?(at: number, bytes: Uint8Array): void;
}

export interface TraceError {
  /** Line from 1 in a text, byte offset in a binary file. */
  readonly at: number;
  readonly message: string;
}

/** Everything in a file besides its events. */
export interface TraceStats {
  readonly events: number;
  /** Skipped items by kind, such as `statistics` or `tx_request`. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Malformed parts: their number, and the first few. */
  readonly malformed: number;
  readonly errors: readonly TraceError[];
  /** Gaps in the file, and missing events if known. */
  readonly gaps: number;
  readonly missed: number;
  /** The file was cut off. */
  readonly truncated: boolean;
}

/** Reads a trace sequentially in constant memory. */
export interface TraceReader {
  readonly format: TraceFormat;
  /** Unix microseconds of the start; null if unknown. */
  readonly startUnixUs: number | null;
  /** Bytes consumed so far. */
  readonly position: number;
  readonly account: TraceStats;
  /** Channel names by key, as far as read; absent if channels only have numbers. */
  readonly channelNames?: ReadonlyMap<number, string>;
  /**
   * Clears the batch and fills it with the next events; false at the end. Returns a partial
   * batch rather than taking long.
   */
  read(batch: TraceBatch): boolean;
}

/** Bytes without events after which a reader returns a partial batch. */
export const idleBytesPerRead = 256 * 1024;
/** Maximum line length of an event. */
const maxEventLength = 512;

/** How far a call that began at `from` may read. */
export const readLimit = (from: number, events: number): number =>
  from + idleBytesPerRead + events * maxEventLength;

/** Opens a trace; `invalid_trace` if it has another format. */
export type OpenTrace = (source: ByteSource) => TraceReader;

/** Writes a trace. Everything written is in the sink when a call returns. */
export interface TraceWriter {
  /** Rows `from` to `to`, exclusive. */
  write(batch: TraceBatch, from: number, to: number): void;
  /** A remark between events, if the format has them. */
  note(timeNs: number, text: string): void;
  /** A channel changed its name; absent if a file has one name per channel. */
  rename?(channel: number): void;
  end(): void;
  /** Events that the format cannot express, by reason; absent if none. */
  readonly unwritten?: Readonly<Record<string, number>>;
  /** Events before the start, written at the start. */
  readonly clamped?: number;
}

export interface TraceWriteOptions {
  /** Null if unknown: BLF says so, other formats start in 1970. */
  readonly startUnixUs: number | null;
  /** Channel name by number and bus, or null. */
  readonly channelName: (channel: number, bus: number) => string | null;
}

export type CreateTrace = (sink: ByteSink, options: TraceWriteOptions) => TraceWriter;
