import type { TraceBatch } from './trace-batch.ts';

export const traceFormats = ['asc', 'blf', 'candump'] as const;
export type TraceFormat = (typeof traceFormats)[number];

/** What a file of each format is called, and how its name ends. */
export const traceFiles: Readonly<
  Record<TraceFormat, { readonly title: string; readonly ending: string }>
> = {
  asc: { title: 'ASC trace', ending: '.asc' },
  blf: { title: 'BLF trace', ending: '.blf' },
  candump: { title: 'candump log', ending: '.log' },
};

/** Where the bytes of a trace come from. Blocks: traces are read in threads without deadlines. */
export interface ByteSource {
  /** Bytes in all, as far as that is known. */
  readonly size: number | null;
  /** Fills from the front with what comes next; answers how many bytes, 0 at the end. */
  read(into: Uint8Array): number;
}

/** Where the bytes of a trace go. */
export interface ByteSink {
  /** The bytes hold only until the call returns. */
  write(bytes: Uint8Array): void;
  /** Overwrites bytes that were written before; absent where the file cannot be gone back in. */
  rewrite?(at: number, bytes: Uint8Array): void;
}

/** A part of a file that could not be understood. */
export interface TraceFlaw {
  /** Line of a text, from 1, or byte offset in a binary file. */
  readonly at: number;
  readonly message: string;
}

/** What was met in a file beside the events that were read from it. */
export interface TraceAccount {
  /** Events given so far. */
  readonly events: number;
  /** What was passed over on purpose, by what it was, such as `statistics` or `tx_request`. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Parts that could not be understood: how many, and the first few of them. */
  readonly malformed: number;
  readonly flaws: readonly TraceFlaw[];
  /** Places where the file says that events are missing, and how many as far as it tells. */
  readonly gaps: number;
  readonly missed: number;
  /** The file ends in the middle of something. */
  readonly truncated: boolean;
}

/** Reads a trace from its beginning to its end, in memory that does not depend on its size. */
export interface TraceReader {
  readonly format: TraceFormat;
  /** Unix time in microseconds at which times count from; null if the file does not tell. */
  readonly startUnixUs: number | null;
  /** Bytes of the file that were used so far. */
  readonly position: number;
  readonly account: TraceAccount;
  /**
   * What the file calls its channels, by their keys, as far as it was read; absent where they have
   * numbers only.
   */
  readonly channelNames?: ReadonlyMap<number, string>;
  /**
   * Clears the batch and fills it with the next events; false once there are none. Where events are
   * few or none for long it gives what it has, so that no call takes long, whatever the file holds.
   */
  read(batch: TraceBatch): boolean;
}

/** Bytes of a text beside those of events after which a reader gives what it has. */
export const idleBytesPerRead = 256 * 1024;
/** No line of an event is longer. */
const longestEvent = 512;

/** How far a text may be read in a call that began at a byte and has given so many events. */
export const readLimit = (from: number, events: number): number =>
  from + idleBytesPerRead + events * longestEvent;

/** Opens a trace; `invalid_trace` if its beginning is of no such format. */
export type OpenTrace = (source: ByteSource) => TraceReader;

/** Writes a trace. Whatever it has been given is in the sink when a call returns. */
export interface TraceWriter {
  /** Events from one row up to, and without, another. */
  write(batch: TraceBatch, from: number, to: number): void;
  /** A remark between events, where the format has room for one. */
  note(timeNs: number, text: string): void;
  /** A channel is called something else from now on; absent where it has one name in a file. */
  rename?(channel: number): void;
  /** Completes the file. */
  end(): void;
  /** Events that the format has no room for, by why; absent where there is room for all. */
  readonly unwritten?: Readonly<Record<string, number>>;
  /** Events before the start that stand at the start, since the format has no such times. */
  readonly clamped?: number;
}

export interface TraceWriteOptions {
  /** Null where it is unknown: BLF says so, the other formats begin in 1970 then. */
  readonly startUnixUs: number | null;
  /** What the channels are called, by their number and bus; null where they have no names. */
  readonly channelName: (channel: number, bus: number) => string | null;
}

export type CreateTrace = (sink: ByteSink, options: TraceWriteOptions) => TraceWriter;
