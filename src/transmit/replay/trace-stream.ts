import type { FileIdentity } from '../../base/files/file-identity.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';

export interface TracePiece {
  /**
   * `events`: a batch. `lap`: all events were delivered, and they repeat. `end`: no more events.
   */
  readonly kind: 'events' | 'lap' | 'end';
  /** Buffer of a `TraceBatch`; empty for other kinds. */
  readonly buffer: ArrayBuffer;
  readonly count: number;
  readonly position: number;
  readonly malformed: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly truncated: boolean;
  /** From the oldest to the newest event, once all were read. */
  readonly durationUs: number | null;
  /** Names read up to now, by key; null if channels only have numbers. */
  readonly channelNames: readonly (readonly [key: number, name: string])[] | null;
}

export interface FoundChannels {
  readonly missing: readonly string[];
  readonly channels: readonly string[];
  readonly isComplete: boolean;
}

export interface TraceStream {
  readonly format: TraceFormat;
  readonly identity: FileIdentity;
  readonly size: number;
  /** Pieces are returned in order of the requests. A spare buffer is reused. */
  read(spare: ArrayBuffer | null): Promise<TracePiece>;
  /**
   * Searches for mapped channels until all are found, the file ends or the time limit is reached.
   */
  findChannels(mapped: readonly string[]): Promise<FoundChannels>;
  close(): Promise<void>;
}

export interface TraceSource {
  /** Rejects files that are not traces or are outside the project; the error names `file`. */
  open(file: string, loop: boolean): Promise<TraceStream>;
}
