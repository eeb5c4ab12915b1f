import type { CanKind } from '../frame/frm2-layout.ts';
import type { CanOffload } from './can-offload.ts';
import type { ChannelSettings, SettingChange } from './channel-settings.ts';
import type { ChannelStats } from './channel-stats.ts';
import type { PortCapabilities } from './port-capabilities.ts';
import type { SendResult } from './send-result.ts';

/**
 * An open port. No call blocks. Frames are sent in order of acceptance. Each has exactly one
 * outcome, in the same order: a `tx_complete` record, a share of `failed`, or a call of `done`
 * for a master read. A frame that the device sends without a call, such as a LIN response or a
 * frame of an offloaded job, is a `tx_complete` without a number. No outcome is reported before
 * the call that submits the frame has returned.
 */
interface OpenChannel {
  readonly sn: string;
  readonly port: number;
  readonly capabilities: PortCapabilities;
  readonly settings: ChannelSettings;
  /**
   * Changes one group of settings. A value already in use changes nothing, except that timing,
   * mode and bit rate restart a bus-off controller, which is reported as a state change. Any
   * other value may take the port off the bus briefly and fails queued frames. Rejects with
   * `unsupported_by_hardware` if the port cannot do it, and leaves the channel unchanged.
   */
  configure(change: SettingChange): Promise<void>;
  /** Frames needed to avoid pauses on the bus. More would only delay the next frame. */
  readonly txDepth: number;
  /** Accepted frames without an outcome. Reports all available outcomes first. */
  readonly pending: number;
  /**
   * Uncertainty in microseconds of device timestamps converted to the daemon's clock. Undefined
   * if the daemon timestamps events or the device clock is not compared.
   */
  readonly clockBracketUs?: number;
  stats(): ChannelStats;
  /** Takes the port off the bus and drops queued frames. The sink is not called afterwards. */
  close(): Promise<void>;
}

export interface CanChannel extends OpenChannel {
  readonly bus: CanKind;
  /**
   * Queues a frame with FRM2 flags and exactly the number of bytes that the DLC specifies, none
   * if remote. The deadline is on the monotonic clock: a capable device fails the frame if no
   * transmission attempt began before it; other devices ignore it. Sending from inside an
   * outcome report leaves no avoidable pause on the bus.
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
  /** Result that `send` would return if the queue had room. */
  check(flags: number): SendResult;
  /** Starts recovery from bus-off. No effect in other states. Rejects if not permitted. */
  recover(): Promise<void>;
  readonly offload?: CanOffload;
}

export type LinReadOutcome =
  | 'answered'
  | 'no_response'
  | 'checksum_error'
  | 'collision'
  | 'aborted';

export type LinReadDone = (
  outcome: LinReadOutcome,
  timestampUs: number,
  checksum: number,
  payload: Uint8Array,
  offset: number,
  length: number,
) => void;

/** Identifiers have no parity bits. `enhancedChecksum` is the only flag used. */
export interface LinChannel extends OpenChannel {
  readonly bus: 'lin';
  /** Result that a master call would return if the queue had room. */
  check(): SendResult;
  masterWrite(
    id: number,
    flags: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): SendResult;
  /**
   * Queues a header for another node's response; `length` 0 accepts any length. The port waits
   * for the response as long as LIN allows, and at most until `untilUs`.
   */
  masterRead(
    id: number,
    flags: number,
    length: number,
    done: LinReadDone,
    untilUs?: number,
  ): SendResult;
  syncBreak(): SendResult;
  wakeUp(): SendResult;
  setResponse(id: number, flags: number, data: Uint8Array, offset: number, length: number): void;
  clearResponse(id: number): void;
}

export type DriverChannel = CanChannel | LinChannel;

/** Open ports without `send`, for users of the outbox. */
export type CanControl = Omit<CanChannel, 'send'>;
export type LinControl = Omit<LinChannel, 'masterWrite' | 'masterRead' | 'syncBreak' | 'wakeUp'>;
export type PortControl = CanControl | LinControl;
