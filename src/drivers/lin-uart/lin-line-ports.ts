import type { LinReadDone, LinReadOutcome } from '../driver-channel.ts';
import type { LinResponseBuffer } from './lin-response-buffer.ts';

/** What a node wants done on its wire. */
export interface LinWire {
  /** Begins a break. The node is told when it is over, delimiter included, or that it failed. */
  sendBreak(): void;
  /** The bytes hold only until it returns. */
  write(bytes: Uint8Array, length: number): void;
}

/** What a node tells of its bus. Every call may lead to others on the node. */
export interface LinLineReports {
  /** A response of ours is complete, which was queued or stood in the table. */
  sent(response: LinResponseBuffer, enhanced: boolean, isQueued: boolean, atUs: number): void;
  received(response: LinResponseBuffer, enhanced: boolean, isValid: boolean, atUs: number): void;
  /** A break or a pulse of ours is done. */
  signalSent(flags: number, atUs: number): void;
  /** Something without data: a signal of another node, or an error. */
  noticed(id: number, flags: number, length: number, status: number, atUs: number): void;
  /** A write, a break or a pulse came to nothing. */
  failed(atUs: number): void;
  readEnded(
    done: LinReadDone,
    outcome: LinReadOutcome,
    response: LinResponseBuffer | undefined,
    atUs: number,
  ): void;
  /** The bus was occupied for so long. */
  busy(us: number): void;
}

export interface LinLineSettings {
  readonly bitrate: number;
  readonly listenOnly: boolean;
  /** The model of responses that this node did not ask for. */
  readonly enhanced: boolean;
}

export interface LinLineOptions {
  readonly wire: LinWire;
  readonly reports: LinLineReports;
  /** The adapter hands back what it sends, as it hears the wire. */
  readonly echoes: boolean;
  /** How much later than on the wire something may be seen. */
  readonly slackUs: number;
}
