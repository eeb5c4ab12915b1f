import type { FileIdentity } from '../../base/files/file-identity.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';

/** A piece of a trace, which owns its buffer. */
export interface TracePiece {
  /** `events`: a batch. `lap`: all events were delivered, and they repeat. `end`: no more. */
  readonly kind: 'events' | 'lap' | 'end';
  /** Buffer of a `TraceBatch`; empty for other kinds. */
  readonly buffer: ArrayBuffer;
  readonly count: number;
  /** Bytes consumed up to here. */
  readonly position: number;
  /** Malformed parts so far. */
  readonly malformed: number;
  /** Skipped items so far, by kind. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The file was cut off. */
  readonly truncated: boolean;
  /** From the oldest to the newest event, once all were read. */
  readonly durationUs: number | null;
  /** Channel names by key, as far as read; null if channels only have numbers. */
  readonly channelNames: readonly (readonly [key: number, name: string])[] | null;
}

export interface FoundChannels {
  readonly missing: readonly string[];
  readonly channels: readonly string[];
  /** The file was read to its end, so missing channels are not in it. */
  readonly isComplete: boolean;
}

export interface TraceStream {
  readonly format: TraceFormat;
  readonly identity: FileIdentity;
  readonly size: number;
  /** Pieces come in the order of requests. A spare buffer is reused. */
  read(spare: ArrayBuffer | null): Promise<TracePiece>;
  /** Searches for mapped channels until all are found, the file ends or time is up. */
  findChannels(mapped: readonly string[]): Promise<FoundChannels>;
  close(): Promise<void>;
}

export interface TraceSource {
  /** Rejects files that are not traces or are outside the project, naming `file`. */
  open(file: string, loop: boolean): Promise<TraceStream>;
}
