import type { LinReadDone, LinReadOutcome } from '../driver-channel.ts';
import type { LinResponseBuffer } from './lin-response-buffer.ts';

/** The wire of a node. */
export interface LinWire {
  /**
   * Starts a break. The node is informed of its end, including the delimiter, or its failure.
   */
  sendBreak(): void;
  /** Valid only during the call. */
  write(bytes: Uint8Array, length: number): void;
}

/** Reports of a node. Any of them may call the node again. */
export interface LinLineReports {
  /** Our response is complete, from the queue or the table. */
  sent(response: LinResponseBuffer, enhanced: boolean, isQueued: boolean, atUs: number): void;
  received(response: LinResponseBuffer, enhanced: boolean, isValid: boolean, atUs: number): void;
  /** Our break or pulse is complete. */
  signalSent(flags: number, atUs: number): void;
  /** A signal of another node, or an error. */
  noticed(id: number, flags: number, length: number, status: number, atUs: number): void;
  /** A write, break or pulse failed. */
  failed(atUs: number): void;
  readEnded(
    done: LinReadDone,
    outcome: LinReadOutcome,
    response: LinResponseBuffer | undefined,
    atUs: number,
  ): void;
  /** Bus occupation. */
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
  /** Maximum delay between the wire and us. */
  readonly slackUs: number;
}
