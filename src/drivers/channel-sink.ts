import type { RingHandle } from '../broker/ring-memory.ts';
import type { BusState } from './channel-stats.ts';

/** The most records that are opened together: frames are not told before the last of them is written. */
export const maxRun = 32;

/**
 * Where the records of a channel are written, only by the thread that owns the channel's ring:
 * `reserve` opens one or a run of them, at `offsetOf` in `view`, the driver fills them there as FRM2,
 * and `commit` publishes them. A slot still holds the record that was there before, so every field
 * counts that is not written anew; event id and sequence are stamped by `commit`.
 */
export interface RecordWriter {
  /** The channel's slot number, as its records carry it. */
  readonly channel: number;
  /** All slots of the ring. It is replaced when the ring grows: ask for it after `reserve`. */
  readonly view: DataView;
  /** Answers where the first one lies. */
  reserve(records?: number): number;
  /** Where the open record with this number lies, from 0. */
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
   * Hands on what another thread has written by now. A driver with such a thread calls it before it
   * tells anything that happened afterwards.
   */
  drain(): void;
  /** So many accepted frames without an outcome, up to that number, will never be sent. */
  failed(frames: number, last: number, timestampUs: number): void;
  /**
   * Events were dropped before the driver could see them, and outcomes of accepted frames, which are
   * not pending any more, among them: it is not known what became of these.
   */
  outcomesDropped(): void;
  stateChanged(state: BusState, timestampUs: number): void;
  /** The device is gone. The driver looks for it and opens the port again by itself. */
  lost(): void;
  /** The device is back and the channel runs with the settings it had. */
  returned(): void;
}
