import type { BusbarError } from '../base/errors/busbar-error.ts';
import type { Headers } from './messages.ts';

/** What a stream did with a message. */
export type PublishOutcome =
  | { readonly sequence: number; readonly isDuplicate: boolean }
  | { readonly error: BusbarError };

export interface StoredMessage {
  readonly sequence: number;
  readonly body: Uint8Array;
  /** Value of a header; empty if the message has none of that name. */
  readonly headerOf: (name: string) => string;
}

export interface StreamFacts {
  /** The stream refuses new messages while it is full, instead of dropping old ones. */
  readonly refusesWhenFull: boolean;
  /** Maximum number of bytes of a message with its headers; null without a limit. */
  readonly maxMessage: number | null;
}

/** One connection to a server. It is not restored: after it has ended, its user opens another one. */
export interface NatsLink {
  /** Limit of the server for a message with its headers. */
  readonly maxPayload: number;
  /** Resolves with the reason once the connection has ended. */
  readonly ended: Promise<BusbarError>;
  readonly isOpen: boolean;
  /** Sends without waiting. The outcome is not reported if the connection ends first. */
  publish(
    subject: string,
    headers: Headers,
    body: Uint8Array,
    onOutcome: (outcome: PublishOutcome) => void,
  ): void;
  /** Newest stored message of a subject, or null. */
  lastMessage(stream: string, subject: string): Promise<StoredMessage | null>;
  /** null if the stream does not exist. */
  streamFacts(stream: string): Promise<StreamFacts | null>;
  /** Ends the connection immediately, without waiting for the server. */
  close(reason?: BusbarError): void;
}
