import type { FileIdentity } from '../../base/files/file-identity.ts';
import type { TraceFormat } from '../../trace/trace-format.ts';
import type { IdChange } from './replay-ids.ts';

export interface TracePiece {
  /**
   * `events`: a batch. `lap`: all events were delivered, and they repeat. `end`: no more events.
   */
  readonly kind: 'events' | 'lap' | 'end';
  /**
   * Buffer of a `TraceBatch`; empty for other kinds. The channel of a row is the position of its
   * mapping, from 1, or one of `rowChannel`.
   */
  readonly buffer: ArrayBuffer;
  readonly count: number;
  readonly position: number;
  readonly malformed: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly truncated: boolean;
  /** From the oldest to the newest event, once all were read. */
  readonly durationUs: number | null;
}

/** Channels of rows that are not sent. */
export const rowChannel = { unmapped: 0, filtered: 0xffff } as const;

/** A condition, and the databases of its signals: their names by mapped channel. */
export interface FilterOrder {
  readonly text: string;
  readonly databases: Readonly<Record<string, readonly string[]>>;
}

/** What the reader of a replay does with its files. */
export interface TraceOrder {
  /** Merged by time if there are several. */
  readonly files: readonly string[];
  /** Field that names a file in errors. */
  readonly field: 'file' | 'files';
  readonly mapped: readonly string[];
  /** How often the files are read; infinity for a loop. */
  readonly laps: number;
  readonly ids: readonly IdChange[];
  readonly filter: FilterOrder | null;
}

export interface TraceStream {
  /** Null if the files have several formats. */
  readonly format: TraceFormat | null;
  readonly identities: readonly FileIdentity[];
  readonly size: number;
  /** Pieces are returned in order of the requests. A spare buffer is reused. */
  read(spare: ArrayBuffer | null): Promise<TracePiece>;
  /**
   * Searches for the mapped channels until all are found, the files end or the time limit is
   * reached. Rejects mappings of channels that the files do not contain.
   */
  findChannels(): Promise<void>;
  close(): Promise<void>;
}

export interface TraceSource {
  /** Rejects files that are not traces or are outside the project; the error names the field. */
  open(order: TraceOrder): Promise<TraceStream>;
}
