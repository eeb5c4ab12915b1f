import type { RingHandle } from '../broker/ring-memory.ts';
import type { BusState } from './channel-stats.ts';

/**
 * Maximum records opened together, because frames are reported only after the last one is written.
 */
export const maxRun = 32;

/**
 * Writes the records of a channel, only on the thread that owns the channel's ring. `reserve`
 * opens records, the driver fills them in place as FRM2 at `offsetOf` in `view`, and `commit`
 * adds event ids and sequences and publishes. A slot still contains its previous record, so the
 * driver must write every field.
 */
export interface RecordWriter {
  readonly channel: number;
  /** All slots of the ring. Read it after `reserve` because the ring may grow. */
  readonly view: DataView;
  reserve(records?: number): number;
  offsetOf(index: number): number;
  commit(): void;
}

/**
 * Receives a driver's reports for a channel, on the bench thread. Reports may arrive inside a call on
 * the channel. None arrives after `close` has returned, except the rest of a batch in which a listener
 * closes the channel.
 *
 * - Records report received frames, completed frames, bus errors, and loss and return of the device.
 * - Record times are Unix times and never decrease within a channel.
 * - An error frame has the flag `error`, the class bits as its id and eight detail bytes
 *   (`can-error-frame.ts`). Equal consecutive errors may be combined (`error-count.ts`).
 * - `filterHit` is the number of the first filter that matched a received frame, from 1 to 255.
 * - A driver with its own thread (`Driver.writerOf`) creates a writer from `ring` there.
 * - Accepted frames of a channel are numbered from 1. A `tx_complete` contains the number of its frame
 *   (`setFrm2TxNumber`), or 0 if the device sent it without a call.
 */
export interface ChannelSink extends RecordWriter {
  readonly ring: RingHandle;
  /**
   * Delivers records written by another thread. A driver with a thread calls it before any
   * later report.
   */
  drain(): void;
  /** This many accepted frames, up to number `last`, will never be sent. */
  failed(frames: number, last: number, timestampUs: number): void;
  /** Events were dropped, including outcomes of accepted frames that are no longer pending. */
  outcomesDropped(): void;
  stateChanged(state: BusState, timestampUs: number): void;
  /** The device was removed. The driver reopens the port when it returns. */
  lost(): void;
  returned(): void;
}
