import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Channel } from '../../bench/channel.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import type { IsotpReceiverFailure } from '../../pdu/isotp/receiver.ts';

export interface TransportListener {
  /** The last frame of the request was sent. */
  sent(atUs: number): void;
  notSent(error: BusbarError): void;
  presenceSent(atUs: number): void;
  /** The first frame of a payload was received; `from` is the key of its address. */
  began(atUs: number, from: number): void;
  /** `payload` is valid during the call only. */
  received(payload: Uint8Array, atUs: number, from: number): void;
  broke(code: IsotpReceiverFailure, atUs: number, from: number): void;
  finding(code: string): void;
}

/** Payloads to and from an ECU over one bus. */
export interface LinkTransport {
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
  /** Takes back a TesterPresent that still waits for a request. */
  cancelPresence(): void;
  /** Longest functional request; 0 without a functional identifier. */
  readonly maxFunctional: number;
  close(): void;
}

/** Checks that a channel is on the bus of a link. `name` is that of the channel in messages. */
export const checkBus = ({ hardware }: Channel, name: string, { settings }: Link): void => {
  const { bus } = hardware;
  const isOnLin = settings.nad !== null;
  if (isOnLin !== (bus === 'lin')) {
    const message = isOnLin
      ? `${name} is a CAN channel; an ECU with a nad needs LIN`
      : `${name} is a LIN channel; an ECU without a nad needs CAN`;
    throw invalidArgument('channel', message, { reason: 'not_on_bus', bus });
  }
  if (settings.fd && bus !== 'canfd') {
    const message = `${name} was opened as classic CAN`;
    throw invalidArgument('fd', message, { reason: 'not_on_bus', bus });
  }
};
