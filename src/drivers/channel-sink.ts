import type { RingHandle } from '../broker/ring-memory.ts';
import type { BusState } from './channel-stats.ts';

/** Maximum records opened together, since frames are reported after the last is written. */
export const maxRun = 32;

/**
 * Writes the records of a channel, only on the thread that owns the channel's ring: `reserve`
 * opens one or several, the driver fills them in place as FRM2 at `offsetOf` in `view`, and
 * `commit` publishes them. A slot still contains its previous record, so every field must be
 * written; `commit` stamps event id and sequence.
 */
export interface RecordWriter {
  readonly channel: number;
  /** All slots of the ring. Read it after `reserve`, since the ring may grow. */
  readonly view: DataView;
  reserve(records?: number): number;
  offsetOf(index: number): number;
  commit(): void;
}

/**
 * Reports of a driver on a channel, on the bench thread. They may come from inside a call on
 * the channel, but not after `close` has returned, except for the rest of a burst in which a
 * listener closes the channel. Records report received frames, completed frames of ours, bus
 * errors, and the loss and return of the device. The time of a record is Unix time and never
 * goes back within a channel. An error frame has the flag `error`, the class bits as its id and
 * eight detail bytes (`can-error-frame.ts`); equal consecutive errors may be combined, with
 * their count after those bytes (`error-count.ts`). `filterHit` is the number of the first
 * filter that passed a received frame, from 1 and at most 255. Records are written on the bench
 * thread unless the driver has its own thread for them (`Driver.writerOf`), which creates a
 * writer from `ring`; the bench thread then follows it. Accepted frames of a channel are
 * numbered from 1 in order of acceptance. A `tx_complete` contains the number of its frame
 * (`setFrm2TxNumber`), or 0 if the device sent it on its own.
 */
export interface ChannelSink extends RecordWriter {
  readonly ring: RingHandle;
  /**
   * Delivers records written by another thread. Such a driver calls it before it reports
   * anything later.
   */
  drain(): void;
  /** So many accepted frames, up to this number, will never be sent. */
  failed(frames: number, last: number, timestampUs: number): void;
  /** Events were dropped, among them outcomes of accepted frames that are no longer pending. */
  outcomesDropped(): void;
  stateChanged(state: BusState, timestampUs: number): void;
  /** The device is gone. The driver reopens the port when it is back. */
  lost(): void;
  /** The device is back with its settings. */
  returned(): void;
}
