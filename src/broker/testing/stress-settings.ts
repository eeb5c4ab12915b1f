import type { RingHandle } from '../ring-memory.ts';
import type { StopOrder } from './stop-point.ts';

export interface RingSettings {
  readonly channel: number;
  readonly slots: number;
  readonly records: number;
  /** Sizes that the ring grows to, spread evenly over its records. */
  readonly grow?: readonly number[];
}

export interface WriterSettings {
  readonly rings: readonly RingSettings[];
  readonly batch: number;
  /** Sleeps briefly within one record of so many; never by default. */
  readonly pauseEvery?: number;
  /** The thread is killed at each of these, one after another, and replaced by a new one. */
  readonly kills?: readonly (StopOrder | { readonly anywhereAfter: number })[];
}

export interface ReaderSettings {
  readonly name: string;
  /** One channel is read by a `RingReader`, several by a `MergedReader`. */
  readonly channels: readonly number[];
  readonly capacity?: number;
  /** Sleeps this long between passes. */
  readonly slowMs?: number;
  /** The most records of a pass. */
  readonly limit?: number;
  /** Waits on the event loop instead of blocking its thread. */
  readonly isAsync?: boolean;
  /** Restarts from its position after so many passes. */
  readonly resumeEvery?: number;
}

export interface StressSettings {
  readonly writers: readonly WriterSettings[];
  readonly readers: readonly ReaderSettings[];
  /** Where event ids and sequences start, to pass a border of their representation. */
  readonly startAt?: number;
}

/** What a writer thread is started with. */
export interface WriterStart {
  readonly control: SharedArrayBuffer;
  readonly writer: number;
  readonly plan: WriterSettings;
  readonly rings: readonly RingHandle[];
  readonly startAt: number;
  readonly stop?: StopOrder;
  /** Asks to be killed after so many publications, and continues until it is. */
  readonly anywhereAfter?: number;
}

/** What a reader thread is started with. */
export interface ReaderStart {
  readonly control: SharedArrayBuffer;
  readonly reader: number;
  readonly plan: ReaderSettings;
  readonly rings: readonly RingHandle[];
  /** How many records each of the rings will hold. */
  readonly records: readonly number[];
  readonly startAt: number;
}

export interface ReaderReport {
  readonly name: string;
  readonly errors: readonly string[];
  readonly delivered: number;
  readonly lost: number;
}
