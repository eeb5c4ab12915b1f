import type { CanKind } from '../frame/frm2-layout.ts';
import type { CanOffload } from './can-offload.ts';
import type { ChannelSettings, SettingChange } from './channel-settings.ts';
import type { ChannelStats } from './channel-stats.ts';
import type { PortCapabilities } from './port-capabilities.ts';
import type { SendResult } from './send-result.ts';

/**
 * An open port. No call blocks. Frames are sent in order of acceptance, and each has exactly
 * one outcome, in that order: its `tx_complete` record, its share of `failed`, or the call of
 * `done` for a master read. A frame that the device sends on its own, such as a LIN response
 * from the table or a frame of an offloaded job, is a `tx_complete` without a number. No
 * outcome is reported before the call that submits the frame has returned.
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
  /** Frames needed to avoid pauses. More would only delay what is due next. */
  readonly txDepth: number;
  /** Accepted frames without an outcome, after reporting everything so far. */
  readonly pending: number;
  /**
   * Uncertainty in microseconds of device time stamps converted to the daemon's clock;
   * undefined if the daemon stamps events, or if the device's clock is not compared.
   */
  readonly clockBracketUs?: number;
  /** Counters since the channel was opened; they survive a lost device. */
  stats(): ChannelStats;
  /** Takes the port off the bus and drops queued frames. The sink is not called afterwards. */
  close(): Promise<void>;
}

export interface CanChannel extends OpenChannel {
  readonly bus: CanKind;
  /**
   * Queues a frame: FRM2 flags, and exactly as many bytes as the DLC means; none if remote.
   * With a deadline on the monotonic clock, a capable device fails the frame if no transmission
   * attempt could begin before it; others send it when they can. Sending from inside an outcome
   * report leaves no pause on the bus, as far as the driver controls it.
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
  /** What `send` would return if there were room. */
  check(flags: number): SendResult;
  /** Starts recovery from bus off; no effect in other states. Rejects if not permitted. */
  recover(): Promise<void>;
  readonly offload?: CanOffload;
}

export type LinReadOutcome =
  | 'answered'
  | 'no_response'
  | 'checksum_error'
  | 'collision'
  | 'aborted';

/** Called exactly once. Bytes are valid only during the call. */
export type LinReadDone = (
  outcome: LinReadOutcome,
  timestampUs: number,
  checksum: number,
  payload: Uint8Array,
  offset: number,
  length: number,
) => void;

/** Identifiers have no parity; only the `enhancedChecksum` flag counts. */
export interface LinChannel extends OpenChannel {
  readonly bus: 'lin';
  /** What a master call would return if there were room. */
  check(): SendResult;
  /** Queues a header and our response. */
  masterWrite(
    id: number,
    flags: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): SendResult;
  /** Queues a header for another node; `length` 0 for any. */
  masterRead(id: number, flags: number, length: number, done: LinReadDone): SendResult;
  /** Queues a break and a sync field only. */
  syncBreak(): SendResult;
  /** Queues a wake-up pulse, from any node. */
  wakeUp(): SendResult;
  /** Answers headers with this identifier until cleared. */
  setResponse(id: number, flags: number, data: Uint8Array, offset: number, length: number): void;
  clearResponse(id: number): void;
}

export type DriverChannel = CanChannel | LinChannel;

/** Open ports without sending, for users of the outbox. */
export type CanControl = Omit<CanChannel, 'send'>;
export type LinControl = Omit<LinChannel, 'masterWrite' | 'masterRead' | 'syncBreak' | 'wakeUp'>;
export type PortControl = CanControl | LinControl;
