import type { FileIdentity } from '../../base/files/file-identity.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';

/** The next piece of a trace. Its buffer belongs to the holder of the piece. */
export interface TracePiece {
  /**
   * `events`: a batch of them. `lap`: all events of the file were given, and what follows are the
   * same once more. `end`: there will be no more.
   */
  readonly kind: 'events' | 'lap' | 'end';
  /** What a `TraceBatch` is made of; without events where it is not a batch of them. */
  readonly buffer: ArrayBuffer;
  readonly count: number;
  /** Bytes of the file that were used up to here. */
  readonly position: number;
  /** Parts of the file that could not be understood so far. */
  readonly malformed: number;
  /** What was passed over so far that is no event, by what it is. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The file was found to end in the middle of something. */
  readonly truncated: boolean;
  /** From the oldest event to the newest, once all of them were read. */
  readonly durationUs: number | null;
  /**
   * What the file calls its channels, by their keys, as far as it was read; null where they have
   * numbers only.
   */
  readonly channelNames: readonly (readonly [key: number, name: string])[] | null;
}

/** Which channels are in a file, as far as it was read for that. */
export interface FoundChannels {
  /** Channels that were asked for and not found. */
  readonly missing: readonly string[];
  /** Those that were found, as a request may name them. */
  readonly channels: readonly string[];
  /** The file was read to its end: what is missing is not in it. */
  readonly isComplete: boolean;
}

/** A trace that another thread reads for the replay. */
export interface TraceStream {
  readonly format: TraceFormat;
  readonly identity: FileIdentity;
  /** Bytes of the file. */
  readonly size: number;
  /** Pieces come in the order in which they are asked for. A spare buffer is used again. */
  read(spare: ArrayBuffer | null): Promise<TracePiece>;
  /** Looks for mapped channels until all are found, the file ends or it takes too long. */
  findChannels(mapped: readonly string[]): Promise<FoundChannels>;
  close(): Promise<void>;
}

export interface TraceSource {
  /** Refuses what is no trace, or lies outside the project, naming the field `file`. */
  open(file: string, loop: boolean): Promise<TraceStream>;
}
