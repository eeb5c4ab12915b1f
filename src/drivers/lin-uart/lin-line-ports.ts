import type { LinReadDone, LinReadOutcome } from '../driver-channel.ts';
import type { LinResponseBuffer } from './lin-response-buffer.ts';

export interface LinWire {
  /**
   * Starts a break. Its completion, including the delimiter, or its failure is reported to the
   * node.
   */
  sendBreak(): void;
  write(bytes: Uint8Array, length: number): void;
}

export interface LinLineReports {
  sent(response: LinResponseBuffer, enhanced: boolean, isQueued: boolean, atUs: number): void;
  received(response: LinResponseBuffer, enhanced: boolean, isValid: boolean, atUs: number): void;
  signalSent(flags: number, atUs: number): void;
  /** A break or pulse from another node, or an error. */
  noticed(id: number, flags: number, length: number, status: number, atUs: number): void;
  failed(atUs: number): void;
  readEnded(
    done: LinReadDone,
    outcome: LinReadOutcome,
    response: LinResponseBuffer | undefined,
    atUs: number,
  ): void;
  busy(us: number): void;
}

export interface LinLineSettings {
  readonly bitrate: number;
  readonly listenOnly: boolean;
  /** Checksum model of responses we did not request. */
  readonly enhanced: boolean;
}

export interface LinLineOptions {
  readonly wire: LinWire;
  readonly reports: LinLineReports;
  readonly echoes: boolean;
  /** Maximum delay between the wire and this process. */
  readonly slackUs: number;
}
