import type { RingHandle } from '../ring-memory.ts';
import type { StopOrder } from './stop-point.ts';

export interface RingSettings {
  readonly channel: number;
  readonly slots: number;
  readonly records: number;
  /** Sizes to which the ring grows, spread evenly over its records. */
  readonly grow?: readonly number[];
}

export interface WriterSettings {
  readonly rings: readonly RingSettings[];
  readonly batch: number;
  /** Sleeps briefly within one of this many records; never by default. */
  readonly pauseEvery?: number;
  /** Points at which the thread is killed, one after another, and replaced by a new one. */
  readonly kills?: readonly (StopOrder | { readonly anywhereAfter: number })[];
}

export interface ReaderSettings {
  readonly name: string;
  /** One channel is read by a `RingReader`, several by a `MergedReader`. */
  readonly channels: readonly number[];
  readonly capacity?: number;
  /** Sleeps this long between passes. */
  readonly slowMs?: number;
  /** Maximum number of records per pass. */
  readonly limit?: number;
  /** Waits on the event loop instead of blocking its thread. */
  readonly isAsync?: boolean;
  /** Restarts from its position after this many passes. */
  readonly resumeEvery?: number;
}

export interface StressSettings {
  readonly writers: readonly WriterSettings[];
  readonly readers: readonly ReaderSettings[];
  /** First event ids and sequences, to cross a border of their representation. */
  readonly startAt?: number;
}

/** Start parameters of a writer thread. */
export interface WriterStart {
  readonly control: SharedArrayBuffer;
  readonly writer: number;
  readonly plan: WriterSettings;
  readonly rings: readonly RingHandle[];
  readonly startAt: number;
  readonly stop?: StopOrder;
  /** Requests to be killed after this many publications, and continues until then. */
  readonly anywhereAfter?: number;
}

/** Start parameters of a reader thread. */
export interface ReaderStart {
  readonly control: SharedArrayBuffer;
  readonly reader: number;
  readonly plan: ReaderSettings;
  readonly rings: readonly RingHandle[];
  /** Number of records in each ring. */
  readonly records: readonly number[];
  readonly startAt: number;
}

export interface ReaderReport {
  readonly name: string;
  readonly errors: readonly string[];
  readonly delivered: number;
  readonly lost: number;
}
