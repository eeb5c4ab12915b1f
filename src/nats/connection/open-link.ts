import {
  connect,
  createInbox,
  errors,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  headers as newHeaders,
} from '@nats-io/transport-node';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { parseJson } from '../../base/json/parse-json.ts';
import type { NatsLink, PublishOutcome, StoredMessage, StreamFacts } from '../link.ts';
import type { Headers } from '../messages.ts';
import { lastMessageSubject, streamInfoSubject } from '../streams.ts';
import { connectionError, unreachable } from './nats-errors.ts';
import { authenticatorOf, type NatsSettings, tlsOf } from './nats-settings.ts';

const connectMs = 5000;
const pingMs = 5000;
const maxPings = 2;
const requestMs = 5000;

const notFound = 404;
const noResponders = 503;
const unknownStream = 10059;

type OnOutcome = (outcome: PublishOutcome) => void;

interface ApiAnswer {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?:
    | { readonly code: number; readonly err_code?: number; readonly description?: string }
    | undefined;
  readonly config?: { readonly discard?: string; readonly max_msg_size?: number };
}

const decoder = new TextDecoder();

/** Numbers below 2^53; other answers count as an error of the server. */
const answerOf = (message: Msg): ApiAnswer => {
  try {
    return parseJson(decoder.decode(message.data)) as ApiAnswer;
  } catch {
    return { error: { code: 500, description: 'The answer is not JSON' } };
  }
};

const headersOf = (headers: Headers): MsgHdrs => {
  const all = newHeaders();
  for (const [name, value] of headers) all.set(name, value);
  return all;
};

const missingStream = (subject: string): BusbarError =>
  new BusbarError('nats_stream_missing', {
    message: `No stream stores ${subject}`,
    details: { subject },
  });

const rejected = (subject: string, { error }: ApiAnswer): BusbarError =>
  new BusbarError('nats_rejected', {
    message: `The stream rejects ${subject}: ${error?.description ?? 'no sequence in its answer'}`,
    details: { subject, code: error?.err_code ?? error?.code ?? null },
  });

const outcomeOf = (subject: string, message: Msg): PublishOutcome => {
  if (message.headers?.code === noResponders) return { error: missingStream(subject) };
  const answer = answerOf(message);
  const { seq, duplicate = false } = answer;
  if (answer.error || seq === undefined) return { error: rejected(subject, answer) };
  return { sequence: seq, isDuplicate: duplicate };
};

/**
 * A connection without the reconnects of the client, which drops what is published meanwhile.
 * Acknowledgements arrive on one inbox: one request for each would cost six times as much.
 */
class OpenLink implements NatsLink {
  readonly ended: Promise<BusbarError>;
  readonly #nats: NatsConnection;
  readonly #server: string;
  readonly #inbox: string;
  readonly #waiting = new Map<
    string,
    { readonly subject: string; readonly onOutcome: OnOutcome }
  >();
  #next = 0;
  #reason: BusbarError | undefined;

  constructor(nats: NatsConnection, server: string, inbox: string) {
    this.#nats = nats;
    this.#server = server;
    this.#inbox = inbox;
    nats.subscribe(`${inbox}.*`, { callback: (error, message) => this.#answered(error, message) });
    void this.#watch();
    this.ended = nats.closed().then((thrown) => {
      this.#waiting.clear();
      return this.#reason ?? connectionError(server, thrown ?? undefined);
    });
  }

  get maxPayload(): number {
    return this.#nats.info?.max_payload ?? 0;
  }

  get isOpen(): boolean {
    return this.#reason === undefined && !this.#nats.isClosed();
  }

  publish(subject: string, headers: Headers, body: Uint8Array, onOutcome: OnOutcome): void {
    if (!this.isOpen) return;
    const number = String(this.#next++);
    this.#waiting.set(number, { subject, onOutcome });
    const reply = `${this.#inbox}.${number}`;
    this.#nats.publish(subject, body, { headers: headersOf(headers), reply });
  }

  async lastMessage(stream: string, subject: string): Promise<StoredMessage | null> {
    const message = await this.#request(lastMessageSubject(stream, subject));
    if (message === null || message.headers?.code === notFound) return null;
    const headerOf = (name: string): string => message.headers?.get(name) ?? '';
    const sequence = Number(headerOf('Nats-Sequence'));
    return { sequence, body: message.data, headerOf };
  }

  async streamFacts(stream: string): Promise<StreamFacts | null> {
    const message = await this.#request(streamInfoSubject(stream));
    if (message === null) return null;
    const { config, error } = answerOf(message);
    if (error?.code === notFound || error?.err_code === unknownStream) return null;
    if (error || !config) throw rejected(streamInfoSubject(stream), { error });
    const { discard, max_msg_size = -1 } = config;
    return {
      refusesWhenFull: discard === 'new',
      maxMessage: max_msg_size > 0 ? max_msg_size : null,
    };
  }

  close(reason?: BusbarError): void {
    this.#reason ??= reason ?? new BusbarError('operation_cancelled');
    void this.#nats.close();
  }

  /** null if no stream answers. */
  async #request(subject: string): Promise<Msg | null> {
    try {
      return await this.#nats.request(subject, undefined, { timeout: requestMs });
    } catch (thrown) {
      if (thrown instanceof errors.NoRespondersError) return null;
      const isSilent = thrown instanceof errors.RequestError && thrown.isNoResponders();
      if (isSilent) return null;
      const error = connectionError(this.#server, thrown);
      this.close(error);
      throw error;
    }
  }

  #answered(error: Error | null, message: Msg): void {
    if (error) {
      this.close(connectionError(this.#server, error));
      return;
    }
    const number = message.subject.slice(this.#inbox.length + 1);
    const waiting = this.#waiting.get(number);
    if (!waiting) return;
    this.#waiting.delete(number);
    waiting.onOutcome(outcomeOf(waiting.subject, message));
  }

  /** Errors that the client reports and does not end the connection for. */
  async #watch(): Promise<void> {
    for await (const status of this.#nats.status()) {
      // A publish that is forbidden has no other answer.
      if (status.type === 'error') this.close(connectionError(this.#server, status.error));
      // The client would first flush to the socket, which is blocked.
      if (status.type === 'staleConnection') {
        this.close(unreachable(this.#server, new errors.TimeoutError()));
      }
    }
  }
}

/** Inboxes of a bench, so that its permissions need not cover those of others. */
export const inboxPrefix = (bench: string): string => `_INBOX.${bench}`;

/** Opens one connection, without retries. Rejects with an error that has a code. */
export const openLink = async (settings: NatsSettings, bench: string): Promise<NatsLink> => {
  const { server, credentials } = settings;
  try {
    const tls = tlsOf(settings);
    const prefix = inboxPrefix(bench);
    const nats = await connect({
      servers: server,
      name: `busbar ${bench}`,
      reconnect: false,
      ignoreClusterUpdates: true,
      noAsyncTraces: true,
      timeout: connectMs,
      pingInterval: pingMs,
      maxPingOut: maxPings,
      inboxPrefix: prefix,
      ...(tls && { tls }),
      ...(credentials && { authenticator: authenticatorOf(credentials) }),
    });
    return new OpenLink(nats, server, createInbox(prefix));
  } catch (thrown) {
    throw connectionError(server, thrown);
  }
};
