import type { CanKind } from '../frame/frm2-layout.ts';
import type { CanOffload } from './can-offload.ts';
import type { ChannelSettings, SettingChange } from './channel-settings.ts';
import type { ChannelStats } from './channel-stats.ts';
import type { PortCapabilities } from './port-capabilities.ts';
import type { SendResult } from './send-result.ts';

/**
 * An open port. No call blocks. Frames are sent in the order they were accepted in, and each one
 * accepted has exactly one outcome, in that order: its `tx_complete` record, or its share of `failed`,
 * or, for a master read, the call of `done`. What a device sends by itself, a LIN response out of the
 * table or a frame of an offloaded job, is a `tx_complete` without a number. No outcome of a frame is
 * told before the call that hands it over has returned.
 */
interface OpenChannel {
  readonly sn: string;
  readonly port: number;
  readonly capabilities: PortCapabilities;
  readonly settings: ChannelSettings;
  /**
   * Changes one group of settings. A value that is set already changes nothing at all, except that
   * timing, mode and bit rate restart a controller that is bus off, which is reported as a change
   * of its state. Any other value may take the port off the bus for a moment, and fails what is
   * queued. Rejects with
   * `unsupported_by_hardware` what the port cannot do, and leaves the channel as it was.
   */
  configure(change: SettingChange): Promise<void>;
  /**
   * Frames that the port needs at hand so that it leaves no pause between them. More than that only
   * delays what is due next.
   */
  readonly txDepth: number;
  /** Accepted frames without an outcome, once everything that happened by now is reported. */
  readonly pending: number;
  /**
   * How exactly the stamps of a clock that is not the daemon's are known by that one, in microseconds;
   * undefined where events are stamped by the daemon, or by a device whose clock is not compared.
   */
  readonly clockBracketUs?: number;
  /** Counts since the channel was opened. They survive a lost device. */
  stats(): ChannelStats;
  /** Takes the port off the bus and drops what is queued. The sink hears nothing afterwards. */
  close(): Promise<void>;
}

export interface CanChannel extends OpenChannel {
  readonly bus: CanKind;
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
  /** What `send` would answer a frame with those flags if there were room for it. */
  check(flags: number): SendResult;
  /**
   * Begins the way back from bus off. Does nothing in any other state. Rejects where the device may not
   * be told to, and it stays off the bus.
   */
  recover(): Promise<void>;
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
  /** What a master's call would answer if there were room for it. */
  check(): SendResult;
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

/** Open ports as those see them who send through the outbox of the channel: all but sending. */
export type CanControl = Omit<CanChannel, 'send'>;
export type LinControl = Omit<LinChannel, 'masterWrite' | 'masterRead' | 'syncBreak' | 'wakeUp'>;
export type PortControl = CanControl | LinControl;
