import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Interruption } from '../../bench/bench-sink.ts';
import type { Channel } from '../../bench/channel.ts';
import type { EcuEntry, SeedKey } from '../../bench/ecu-entry.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import type { IsotpReceiverFailure } from '../../pdu/isotp/receiver.ts';
import { sid } from '../services.ts';
import { SessionState } from '../session-state.ts';
import { type ExchangeFailure, UdsExchange, type UdsResponse } from '../uds-exchange.ts';
import type { DiagnosticLink as LinkRecord, LinkState } from './link-record.ts';
import type { LinkTransport, TransportListener } from './link-transport.ts';
import { type Exchange, RawExchange } from './raw-exchange.ts';
import { TurnQueue } from './turn-queue.ts';

export interface LinkOptions {
  readonly ecu: string;
  readonly inBench: boolean;
  /** Channel selector as given. */
  readonly text: string;
  readonly link: Link;
  readonly dids: EcuEntry['dids'];
  readonly seedKey: SeedKey | undefined;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly openTransport: (
    channel: Channel,
    link: Link,
    listener: TransportListener,
  ) => LinkTransport;
}

export interface AskOptions {
  readonly protocol?: 'uds' | 'isotp';
  readonly functional?: boolean;
  /** Whether an isotp request awaits a response. */
  readonly wait?: boolean;
  readonly timeoutUs?: number;
}

export interface Answer {
  /** Null without response. */
  readonly response: UdsResponse | null;
  readonly responses: readonly UdsResponse[];
  readonly pending: number;
  readonly durationUs: number;
}

interface Asked {
  readonly request: Uint8Array;
  readonly options: AskOptions;
  readonly exchange: Exchange;
  readonly startUs: number;
  /** End of `timeoutUs`. */
  readonly endUs: number;
  readonly settle: (error: BusbarError | undefined) => void;
  isSent: boolean;
}

/** Services after which a seed is void. */
const endsSeed: ReadonlySet<number> = new Set([sid.session, sid.reset, sid.security]);

const never = Number.POSITIVE_INFINITY;
export const defaultTimeoutMs = 60_000;

/** The alarm was late, so the response can wait unread: reading it comes first. */
const lateUs = 2000;
/** A thread that is held up again and again still ends its requests. */
const maxGraces = 50;

const timeoutCodes: readonly string[] = [
  'no_response',
  'response_pending_timeout',
  'flow_control_timeout',
  'consecutive_frame_timeout',
  'hardware_timeout',
];

const lost = (why: 'closed' | 'lost'): BusbarError =>
  why === 'lost'
    ? new BusbarError('hardware_error', {
        message: 'The device was disconnected',
        details: { reason: 'device_lost' },
      })
    : new BusbarError('hardware_error', {
        message: 'The channel was closed during the request',
        details: { reason: 'channel_closed' },
      });

const brokenBy = (code: Exclude<IsotpReceiverFailure, 'replaced'>): BusbarError => {
  if (code === 'send_timeout') {
    return new BusbarError('hardware_timeout', {
      message: 'A flow control was not sent within N_Ar',
      details: { reason: code },
    });
  }
  if (code === 'dropped') {
    return new BusbarError('hardware_error', {
      message: 'The channel dropped a flow control',
      details: { reason: code },
    });
  }
  return new BusbarError(code);
};

const linkClosed = (ecu: string): BusbarError =>
  new BusbarError('operation_cancelled', {
    message: `The link to ${ecu} was closed`,
    details: { cancelled: true, reason: 'link_closed' },
  });

/**
 * A link to one ECU: requests in turn, its session, and TesterPresent.
 *
 *                  first request          channel closed or lost
 *     closed ──────────────────────► open ──────────────────────► waiting
 *        ▲                          │    ◄──────────────────────     │
 *        └────────── close ─────────┴──────── channel is back ───────┘
 */
export class DiagnosticLink implements TransportListener {
  readonly ecu: string;
  readonly text: string;
  readonly link: Link;
  readonly session: SessionState;
  /** Level of the seed that the ECU sent last, if a key can follow. */
  seedLevel: number | null = null;
  readonly #options: LinkOptions;
  readonly #turns: TurnQueue;
  readonly #timer: Task;
  readonly #openedAtUs: number;
  readonly #counters = { sent: 0, received: 0, timeouts: 0, findings: 0 };
  #lastFinding: string | null = null;
  #channel: Channel | null = null;
  /** Stable selector of the last channel. */
  #selector: string | null = null;
  #transport: LinkTransport | null = null;
  #stopListening: readonly (() => void)[] = [];
  #asked: Asked | null = null;
  /** Identifiers with a message under way that began after the request was sent. */
  readonly #answering = new Set<number>();
  #isClosed = false;
  #presenceUs = 0;
  #presenceDueUs = never;
  #graceUs = 0;
  #graces = 0;

  constructor(options: LinkOptions) {
    const { ecu, text, link, clock, scheduler } = options;
    this.ecu = ecu;
    this.text = text;
    this.link = link;
    this.#options = options;
    this.#openedAtUs = clock.unixUs();
    this.#turns = new TurnQueue(ecu);
    const { p2_ms, p2_star_ms } = link.settings;
    this.session = new SessionState({ p2Us: p2_ms * 1000, p2StarUs: p2_star_ms * 1000 });
    this.#timer = scheduler.createTask('diagnostic link', (nowUs) => {
      this.#expire(nowUs);
      return undefined;
    });
  }

  get inBench(): boolean {
    return this.#options.inBench;
  }

  get dids(): EcuEntry['dids'] {
    return this.#options.dids;
  }

  get seedKey(): SeedKey | undefined {
    return this.#options.seedKey;
  }

  get channel(): Channel | null {
    return this.#channel;
  }

  get state(): LinkState {
    if (this.#isClosed) return 'closed';
    return this.#channel ? 'open' : 'waiting';
  }

  /** Whether a channel that was opened is the one that this link waits for. */
  awaits({ selector, name }: Channel): boolean {
    return this.state === 'waiting' && (selector === this.#selector || name === this.text);
  }

  attach(channel: Channel): void {
    if (this.#isClosed || this.#channel) return;
    this.#endListening();
    this.#channel = channel;
    this.#selector = channel.selector;
    this.#transport = this.#options.openTransport(channel, this.link, this);
    this.#stopListening = [channel.onInterrupted((why) => this.#interrupted(why, channel))];
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#release(linkClosed(this.ecu));
    this.#endListening();
  }

  /** Runs several requests that no other caller interrupts. */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#turns.take(work, signal);
  }

  /** Sends one request in a turn of its own. */
  request(request: Uint8Array, options: AskOptions, signal?: AbortSignal): Promise<Answer> {
    return this.take(() => this.ask(request, options), signal);
  }

  /** Sends one request; only inside `take`. */
  ask(request: Uint8Array, options: AskOptions = {}): Promise<Answer> {
    const transport = this.#transport;
    if (this.#isClosed) return Promise.reject(linkClosed(this.ecu));
    if (!transport) return Promise.reject(lost('closed'));
    const { functional = false, timeoutUs = defaultTimeoutMs * 1000 } = options;
    if (functional) this.#checkFunctional(request, transport);
    const startUs = this.#options.clock.monotonicUs();
    return new Promise((resolve, reject) => {
      const exchange = this.#exchangeFor(request, options);
      const asked: Asked = {
        request,
        options,
        exchange,
        startUs,
        endUs: startUs + timeoutUs,
        isSent: false,
        settle: (error) => {
          if (error) {
            reject(error);
            return;
          }
          const { result } = exchange;
          resolve({
            response: result?.response ?? null,
            responses: result?.responses ?? [],
            pending: exchange.pending,
            durationUs: Math.round(this.#options.clock.monotonicUs() - startUs),
          });
        },
      };
      this.#asked = asked;
      this.session.began();
      if (endsSeed.has(request[0] as number)) this.seedLevel = null;
      this.#counters.sent += 1;
      transport.send(request, functional);
      this.#arm();
    });
  }

  /** Ends the request under way, whose response no longer matters. */
  abandon(error: BusbarError): void {
    this.#fail(error);
  }

  setPresence(enabled: boolean, periodUs: number): void {
    this.#presenceUs = enabled ? periodUs : 0;
    this.#presenceDueUs = enabled ? this.#options.clock.monotonicUs() : never;
    this.#arm();
  }

  record(): LinkRecord {
    const { inBench, text } = this.#options;
    const channel = this.#channel;
    const isPresent = this.#presenceUs > 0;
    return {
      ecu: this.ecu,
      in_bench: inBench,
      channel: text,
      selector: channel?.selector ?? null,
      slot: channel?.slot ?? null,
      state: this.state,
      settings: this.link.settings,
      session: this.session.session,
      security_level: this.session.securityLevel,
      tester_present: isPresent,
      tester_present_ms: isPresent ? this.#presenceUs / 1000 : null,
      queued: this.#turns.waiting,
      counters: { ...this.#counters },
      last_finding: this.#lastFinding,
      opened_at_us: this.#openedAtUs,
    };
  }

  sent(atUs: number): void {
    const asked = this.#asked;
    if (!asked) return;
    asked.isSent = true;
    asked.exchange.sent(atUs);
    this.#settleIfOver();
  }

  notSent(error: BusbarError): void {
    this.#fail(error);
  }

  presenceSent(atUs: number): void {
    this.#counters.sent += 1;
    if (!this.#asked) this.session.active(atUs);
  }

  began(_atUs: number, id: number): void {
    const asked = this.#asked;
    this.#answering.delete(id);
    if (!asked || !this.#mayAnswer(asked)) return;
    this.#answering.add(id);
    this.#resetGrace();
    asked.exchange.began(this.#idFor(asked, id));
    this.#arm();
  }

  received(payload: Uint8Array, atUs: number, id: number): void {
    this.#counters.received += 1;
    const asked = this.#asked;
    // A message that began before the request answers an earlier one.
    if (!this.#answering.delete(id) || !asked) {
      this.finding('unrequested_response');
      return;
    }
    this.#resetGrace();
    asked.exchange.response(payload, atUs, this.#idFor(asked, id));
    this.#settleIfOver();
  }

  broke(code: IsotpReceiverFailure, atUs: number, id: number): void {
    this.finding(code);
    const asked = this.#asked;
    if (!this.#answering.delete(id) || code === 'replaced' || !asked) return;
    asked.exchange.broke(atUs, this.#idFor(asked, id));
    if (!asked.options.functional) this.#fail(brokenBy(code));
    else this.#settleIfOver();
  }

  finding(code: string): void {
    this.#counters.findings += 1;
    this.#lastFinding = code;
  }

  #exchangeFor(request: Uint8Array, options: AskOptions): Exchange {
    const timers = this.#timers;
    const { protocol = 'uds', functional = false, wait = true } = options;
    if (protocol === 'isotp' || !wait) return new RawExchange(timers.p2Us, wait);
    return new UdsExchange({ request, functional, timers });
  }

  /** P2 and P2* of the session, and what the bus adds to both. */
  get #timers(): SessionState['timers'] {
    const { p2Us, p2StarUs } = this.session.timers;
    const delayUs = this.#transport?.delayUs ?? 0;
    return { p2Us: p2Us + delayUs, p2StarUs: p2StarUs + delayUs };
  }

  #checkFunctional(request: Uint8Array, { maxFunctional }: LinkTransport): void {
    if (maxFunctional === 0) {
      throw invalidArgument('functional', `${this.ecu} has no functional_id`, {
        reason: 'no_functional_id',
      });
    }
    if (request.length <= maxFunctional) return;
    throw invalidArgument(
      'data',
      `A functional request fits one frame: at most ${maxFunctional} bytes`,
      { reason: 'too_long', limit: maxFunctional },
    );
  }

  /** A response cannot precede its request, except by the order in which both are reported. */
  #mayAnswer(asked: Asked): boolean {
    return asked.isSent || this.#transport?.isSending !== true;
  }

  #idFor({ options }: Asked, id: number): number {
    return options.functional ? id : 0;
  }

  #settleIfOver(): void {
    const asked = this.#asked;
    if (!asked) return;
    const { failure, result } = asked.exchange;
    if (failure) this.#fail(this.#failureOf(failure, asked));
    else if (result) this.#end(asked, undefined);
    else this.#arm();
  }

  #failureOf(failure: ExchangeFailure, { exchange }: Asked): BusbarError {
    const { p2Us, p2StarUs } = this.#timers;
    switch (failure) {
      case 'no_response':
        return new BusbarError(failure, { details: { ecu: this.ecu, p2_ms: p2Us / 1000 } });
      case 'response_pending_timeout':
        return new BusbarError(failure, {
          details: { ecu: this.ecu, p2_star_ms: p2StarUs / 1000, pending: exchange.pending },
        });
      case 'unexpected_response': {
        const response = formatHex(exchange.unexpected ?? new Uint8Array());
        return new BusbarError(failure, { details: { ecu: this.ecu, response } });
      }
    }
  }

  #fail(error: BusbarError): void {
    const asked = this.#asked;
    if (!asked) return;
    if (timeoutCodes.includes(error.code)) this.#counters.timeouts += 1;
    this.#transport?.cancel();
    this.#end(asked, error);
  }

  #end(asked: Asked, error: BusbarError | undefined): void {
    this.#asked = null;
    this.#answering.clear();
    this.#resetGrace();
    this.#transport?.endRequest();
    const nowUs = this.#options.clock.monotonicUs();
    const { result } = asked.exchange;
    if (asked.options.protocol !== 'isotp' && !error) {
      this.session.finished(asked.request, result?.response?.payload ?? null, nowUs);
    } else this.session.active(nowUs);
    asked.settle(error);
    this.#arm();
  }

  #interrupted(why: Interruption, channel: Channel): void {
    if (why === 'configured') return;
    this.#release(lost(why));
    this.#endListening();
    if (why !== 'lost') return;
    this.#stopListening = [
      channel.onReturned(() => this.attach(channel)),
      channel.onInterrupted((then) => {
        if (then === 'closed') this.#endListening();
      }),
    ];
  }

  /** The channel is gone: no session, no TesterPresent. */
  #release(error: BusbarError): void {
    this.#transport?.close();
    this.#transport = null;
    this.#channel = null;
    this.#turns.refuseWaiting(error);
    const asked = this.#asked;
    this.#asked = null;
    this.#answering.clear();
    this.#presenceUs = 0;
    this.#presenceDueUs = never;
    this.session.reset();
    this.seedLevel = null;
    this.#timer.cancel();
    asked?.settle(error);
  }

  #endListening(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopListening = [];
  }

  get #deadlineUs(): number {
    return Math.min(this.#requestUs, this.session.deadlineUs, this.#presenceDueUs);
  }

  /** End of P2, P2* or `timeoutUs`. */
  get #requestUs(): number {
    const asked = this.#asked;
    return asked ? Math.min(asked.exchange.deadlineUs, asked.endUs) + this.#graceUs : never;
  }

  #arm(): void {
    const dueUs = this.#deadlineUs;
    if (dueUs === never) this.#timer.cancel();
    else this.#timer.scheduleAt(dueUs);
  }

  #expire(nowUs: number): void {
    if (nowUs >= this.#presenceDueUs) this.#sendPresence(nowUs);
    this.session.expire(nowUs);
    if (this.#asked && nowUs >= this.#requestUs) this.#expireRequest(this.#asked, nowUs);
    this.#arm();
  }

  #expireRequest(asked: Asked, nowUs: number): void {
    const isLate = nowUs - this.#requestUs > lateUs;
    if (isLate && this.#graces < maxGraces) {
      this.#graces += 1;
      this.#graceUs += nowUs - this.#requestUs + lateUs;
      return;
    }
    this.#resetGrace();
    asked.exchange.expire(nowUs);
    this.#settleIfOver();
    if (this.#asked === asked && nowUs >= asked.endUs) this.#fail(this.#tooLong(asked));
  }

  #resetGrace(): void {
    this.#graceUs = 0;
    this.#graces = 0;
  }

  #sendPresence(nowUs: number): void {
    this.#transport?.sendPresence();
    const next = this.#presenceDueUs + this.#presenceUs;
    this.#presenceDueUs = next > nowUs ? next : nowUs + this.#presenceUs;
  }

  #tooLong({ isSent, exchange, options }: Asked): BusbarError {
    const details = { ecu: this.ecu, timeout_ms: (options.timeoutUs ?? 0) / 1000 };
    if (!isSent) {
      const isAwaitingFlow = this.#transport?.isAwaitingFlow === true;
      return new BusbarError(isAwaitingFlow ? 'flow_control_timeout' : 'hardware_timeout', {
        message: 'The request was not sent within timeout_ms',
        details,
      });
    }
    const code = exchange.pending > 0 ? 'response_pending_timeout' : 'no_response';
    return new BusbarError(code, {
      message: 'The response was not complete within timeout_ms',
      details,
    });
  }
}
