import type { RingHandle } from '../broker/ring-memory.ts';
import type { BusState } from './channel-stats.ts';

/** Maximum records opened together, since frames are reported after the last is written. */
export const maxRun = 32;

/**
 * Where the records of a channel are written, only by the thread that owns the channel's ring:
 * `reserve` opens one or a run of them, at `offsetOf` in `view`, the driver fills them there as FRM2,
 * and `commit` publishes them. A slot still holds the record that was there before, so every field
 * counts that is not written anew; event id and sequence are stamped by `commit`.
 */
export interface RecordWriter {
  readonly channel: number;
  /** All slots of the ring. Read it after `reserve`, since the ring may grow. */
  readonly view: DataView;
  /** Returns the offset of the first. */
  reserve(records?: number): number;
  /** Offset of an open record, from 0. */
  offsetOf(index: number): number;
  commit(): void;
}

/**
 * What a driver tells of a channel, on the bench thread, also from inside a call on the channel, and
 * never after `close` has returned, but for the rest of a run that a listener closes the channel in.
 *
 * A frame that was received, one of ours that is complete, an error on the bus, and the loss and the
 * return of the device are records. The time of a record is Unix time and never goes back in one
 * channel. An error frame has the flag `error`, the class bits as its id and eight detail bytes
 * (`can-error-frame.ts`); equal errors in a row may be told together, with their count behind those
 * bytes (`error-count.ts`). `filterHit` is the number of the first filter that let a received frame
 * pass, from 1 and at most 255.
 *
 * Records are written on the bench thread unless the driver has a thread of its own for them
 * (`Driver.writerOf`). That one makes a writer out of `ring`, and the bench thread follows it.
 *
 * The accepted frames of a channel are numbered from 1 in the order of acceptance. A `tx_complete`
 * carries the number of its frame (`setFrm2TxNumber`), and 0 where the device sent it by itself.
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
