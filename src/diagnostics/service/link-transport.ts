import type { BusbarError } from '../../base/errors/busbar-error.ts';
import type { IsotpReceiverFailure } from '../../pdu/isotp/receiver.ts';

export interface TransportListener {
  /** The last frame of the request was sent. */
  sent(atUs: number): void;
  notSent(error: BusbarError): void;
  presenceSent(atUs: number): void;
  /** The first frame of a payload was received; `id` is that of its frames. */
  began(atUs: number, id: number): void;
  /** `payload` is valid during the call only. */
  received(payload: Uint8Array, atUs: number, id: number): void;
  broke(code: IsotpReceiverFailure, atUs: number, id: number): void;
  finding(code: string): void;
}

/** Payloads to and from an ECU over one bus. */
export interface LinkTransport {
  readonly isSending: boolean;
  /** The ECU has not yet let the rest of the request be sent. */
  readonly isAwaitingFlow: boolean;
  /** Time that the bus can add to P2 and P2*. */
  readonly delayUs: number;
  /** Starts a request; `sent` or `notSent` follows. A functional one fits a single frame. */
  send(payload: Uint8Array, functional: boolean): void;
  /** Abandons the request that is being sent, without `notSent`. */
  cancel(): void;
  /** The request under way has its responses, or fails. */
  endRequest(): void;
  /** Sends TesterPresent as soon as that does not disturb a request that is being sent. */
  sendPresence(): void;
  /** Longest functional request; 0 without a functional identifier. */
  readonly maxFunctional: number;
  close(): void;
}
