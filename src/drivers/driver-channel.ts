import type { CanOffload } from './can-offload.ts';
import type { ChannelSettings, SettingChange } from './channel-settings.ts';
import type { BusState, ChannelStats } from './channel-stats.ts';
import type { PortCapabilities } from './port-capabilities.ts';

/**
 * Where a channel reports to. Called on the bench thread, also from inside a call on the channel,
 * and never after `close` has returned. Nothing is allocated for a report: the bytes of a payload
 * are the driver's, and hold only until the call returns.
 */
export interface ChannelEvents {
  /**
   * A frame was received, one of ours is complete, or the bus had an error. `kind` and `bus` are
   * FRM2 codes, `flags` the FRM2 flag word, `status` one of `eventStatus`. An error frame has the
   * flag `error`, the class bits as its id and eight detail bytes (`can-error-frame.ts`). Equal
   * errors in a row may be told together: the count is behind those bytes (`error-count.ts` of the
   * frame room), and it is 0 for what is no error frame.
   * `timestampUs` is Unix time; in one channel it never goes back. `filterHit` is the number of the
   * first filter that let a received frame pass, from 1 and at most 255; 0 where there are none.
   */
  event(
    kind: number,
    bus: number,
    id: number,
    flags: number,
    dlc: number,
    status: number,
    timestampUs: number,
    hardwareSequence: number,
    filterHit: number,
    checksum: number,
    payload: Uint8Array,
    offset: number,
    length: number,
  ): void;
  /** So many of the oldest accepted frames that had no outcome yet will never be sent. */
  failed(frames: number, timestampUs: number): void;
  stateChanged(state: BusState, timestampUs: number): void;
  /** The device is gone. The driver looks for it and opens the port again by itself. */
  lost(): void;
  /** The device is back and the channel runs with the settings it had. */
  returned(): void;
}

/** What became of a frame that was to be sent. With anything but `accepted` nothing was queued. */
export type SendResult =
  | 'accepted'
  /** The queue has no room; try again after the next completion. */
  | 'full'
  | 'bus_off'
  | 'listen_only'
  | 'lost'
  /** LIN: only a master sends headers. */
  | 'not_master'
  | 'unpowered'
  /** Such a frame does not exist on this bus. */
  | 'not_on_bus';

/**
 * An open port. No call blocks. Frames are sent in the order they were accepted in, and each one
 * accepted has exactly one outcome, in that order: its `tx_complete` event, or its share of
 * `failed`, or, for a master read, the call of `done`. What a device sends by itself, a LIN response
 * out of the table or a frame of an offloaded job, is reported in the same way without having been
 * accepted.
 */
interface OpenChannel {
  readonly sn: string;
  readonly port: number;
  readonly capabilities: PortCapabilities;
  readonly settings: ChannelSettings;
  /**
   * Changes one group of settings. A value that is set already changes nothing at all; any other
   * may take the port off the bus for a moment, and fails what is queued. Rejects with
   * `unsupported_by_hardware` what the port cannot do, and leaves the channel as it was.
   */
  configure(change: SettingChange): Promise<void>;
  /** Accepted frames without an outcome, once everything that happened by now is reported. */
  readonly pending: number;
  /** Counts since the channel was opened. They survive a lost device. */
  stats(): ChannelStats;
  /** Takes the port off the bus and drops what is queued. The sink hears nothing afterwards. */
  close(): Promise<void>;
}

export interface CanChannel extends OpenChannel {
  readonly bus: 'can' | 'canfd';
  /**
   * Queues a frame: FRM2 flags, and exactly the bytes that the DLC stands for; none if remote. With
   * a deadline, by the monotonic clock, a device that can fails the frame if no attempt to send it
   * could begin before; others send it whenever they can. Sending while an outcome is reported
   * leaves no pause on the bus, as far as that is in the driver's hand.
   */
  send(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    deadlineUs?: number,
  ): SendResult;
  /** Begins the way back from bus off. Does nothing in any other state. */
  recover(): void;
  /** Where the device can send by itself. */
  readonly offload?: CanOffload;
}

/** How a master read ended; `aborted` by close, a change of settings or a lost device. */
export type LinReadOutcome =
  | 'answered'
  | 'no_response'
  | 'checksum_error'
  | 'collision'
  | 'aborted';

/** Called exactly once. The bytes hold only until it returns. */
export type LinReadDone = (
  outcome: LinReadOutcome,
  timestampUs: number,
  checksum: number,
  payload: Uint8Array,
  offset: number,
  length: number,
) => void;

/** LIN identifiers are without parity; of the flags only `enhancedChecksum` counts. */
export interface LinChannel extends OpenChannel {
  readonly bus: 'lin';
  /** Queues a header and our own response to it. */
  masterWrite(
    id: number,
    flags: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): SendResult;
  /** Queues a header that another node answers; `length` 0 leaves open with how many bytes. */
  masterRead(id: number, flags: number, length: number, done: LinReadDone): SendResult;
  /** Queues a break and a sync field, with nothing behind them. */
  syncBreak(): SendResult;
  /** Queues a wake-up pulse, which any node may send. */
  wakeUp(): SendResult;
  /** Answers headers with this identifier from now on, until it is cleared. */
  setResponse(id: number, flags: number, data: Uint8Array, offset: number, length: number): void;
  clearResponse(id: number): void;
}

export type DriverChannel = CanChannel | LinChannel;
