import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import type { Interruption } from '../../bench/bench-sink.ts';
import type { Channel } from '../../bench/channel.ts';
import type { EcuEntry, SeedKey } from '../../bench/ecu-entry.ts';
import { addressKey, type IsotpAddress } from '../../pdu/isotp/addressing.ts';
import type { Link } from '../../pdu/isotp/link-settings.ts';
import type { IsotpReceiverFailure } from '../../pdu/isotp/receiver.ts';
import { sid, suppressBit } from '../services.ts';
import { SessionState } from '../session-state.ts';
import { ActiveRequest, type Answer, type AskOptions } from './active-request.ts';
import { FollowedRequests } from './followed-requests.ts';
import type { DiagnosticLink as LinkRecord, LinkState } from './link-record.ts';
import type { LinkTransport, TransportListener } from './link-transport.ts';
import { RequestQueue } from './request-queue.ts';

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
  /** Reports a functional request to the other links of the channel. */
  readonly onFunctional: (link: DiagnosticLink, request: FunctionalRequest) => void;
}

/** A functional request that other links of the channel follow. */
export interface FunctionalRequest {
  /** The same for all reports of one request. */
  readonly key: object;
  readonly request: Uint8Array;
  readonly to: IsotpAddress;
  /** TesterPresent is reported only when it was sent. */
  readonly state: 'sending' | 'sent' | 'not_sent';
}

/** Services after which a seed is void. */
const endsSeed: ReadonlySet<number> = new Set([sid.session, sid.reset, sid.security]);

const never = Number.POSITIVE_INFINITY;
const presence = Uint8Array.of(sid.testerPresent, suppressBit);

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
  readonly #queue: RequestQueue;
  readonly #timer: Task;
  readonly #openedAtUs: number;
  readonly #counters = { sent: 0, received: 0, timeouts: 0, findings: 0 };
  #lastFinding: string | null = null;
  #channel: Channel | null = null;
  /** Stable selector of the last channel. */
  #selector: string | null = null;
  #transport: LinkTransport | null = null;
  #stopListening: readonly (() => void)[] = [];
  #active: ActiveRequest | null = null;
  #interruption = new AbortController();
  readonly #followed: FollowedRequests;
  /** Key of the address of the ECU. */
  readonly #own: number;
  #settle: (outcome: Answer | BusbarError) => void = () => undefined;
  #isClosed = false;
  #presenceUs = 0;
  #presenceDueUs = never;

  constructor(options: LinkOptions) {
    const { ecu, text, link, clock, scheduler } = options;
    this.ecu = ecu;
    this.text = text;
    this.link = link;
    this.#options = options;
    this.#openedAtUs = clock.unixUs();
    this.#queue = new RequestQueue(ecu);
    const { p2_ms, p2_star_ms } = link.settings;
    this.session = new SessionState({ p2Us: p2_ms * 1000, p2StarUs: p2_star_ms * 1000 });
    this.#followed = new FollowedRequests(this.session);
    this.#own = addressKey(link.pair.response);
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

  /** Aborted when the link is closed or loses its channel; renewed for each caller of `take`. */
  get interruption(): AbortSignal {
    return this.#interruption.signal;
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

  /**
   * Runs several requests that no other caller interrupts. After the channel was lost no further
   * one is sent, also if it is back: the ECU may have left its session meanwhile.
   */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#queue.take(() => {
      this.#interruption = new AbortController();
      return work();
    }, signal);
  }

  /** Sends one request, after those of earlier callers. */
  request(request: Uint8Array, options: AskOptions, signal?: AbortSignal): Promise<Answer> {
    return this.take(() => this.ask(request, options), signal);
  }

  /** Sends one request; only inside `take`. */
  ask(request: Uint8Array, options: AskOptions = {}): Promise<Answer> {
    const transport = this.#transport;
    if (this.interruption.aborted) return Promise.reject(this.interruption.reason);
    if (this.#isClosed) return Promise.reject(linkClosed(this.ecu));
    if (!transport) return Promise.reject(lost('closed'));
    const { functional = false } = options;
    if (functional) this.#checkFunctional(request, transport);
    const { clock } = this.#options;
    const timers = this.#timersOn(transport);
    return new Promise((resolve, reject) => {
      this.#settle = (outcome) => {
        if (outcome instanceof BusbarError) reject(outcome);
        else resolve(outcome);
      };
      const active = new ActiveRequest({
        ...options,
        ...{ ecu: this.ecu, request, timers, clock, own: this.#own },
      });
      this.#active = active;
      this.#followed.begin({ key: active, request, isAddressed: true, timers }, never);
      if (endsSeed.has(request[0] as number)) this.seedLevel = null;
      this.#counters.sent += 1;
      if (functional) this.#reportFunctional(active, request, 'sending');
      transport.send(request, functional);
      this.#arm();
    });
  }

  /** Ends the request under way. Only the session follows its response. */
  abandon(error: BusbarError): void {
    this.#active?.fail(error);
    this.#update();
  }

  setPresence(enabled: boolean, periodUs: number): void {
    if (this.#isClosed) throw linkClosed(this.ecu);
    this.#presenceUs = enabled ? periodUs : 0;
    this.#presenceDueUs = enabled ? this.#options.clock.monotonicUs() : never;
    if (!enabled) this.#transport?.cancelPresence();
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
      queued: this.#queue.waiting,
      counters: { ...this.#counters },
      last_finding: this.#lastFinding,
      opened_at_us: this.#openedAtUs,
    };
  }

  /** Another link of the channel reports a functional request. */
  functional({ key, request, to, state }: FunctionalRequest): void {
    const transport = this.#transport;
    if (!transport) return;
    const { functional } = this.link.pair;
    const isAddressed = functional !== null && addressKey(functional) === addressKey(to);
    const nowUs = this.#options.clock.monotonicUs();
    if (state === 'sending') {
      const timers = this.#timersOn(transport);
      this.#followed.begin({ key, request, isAddressed, timers }, nowUs);
    } else if (state === 'not_sent') this.#followed.withdraw(key, nowUs);
    else {
      this.#followed.sent(key, nowUs);
      if (isAddressed) this.#followed.active(nowUs);
    }
    this.#arm();
  }

  #reportFunctional(key: object, request: Uint8Array, state: FunctionalRequest['state']): void {
    const to = this.link.pair.functional;
    if (to) this.#options.onFunctional(this, { key, request, to, state });
  }

  sent(atUs: number): void {
    const active = this.#active;
    if (!active) return;
    if (active.isFunctional) this.#reportFunctional(active, active.request, 'sent');
    // No message that is read from now on began before, even if the clock of the port is ahead.
    const sentUs = Math.min(atUs, this.#options.clock.monotonicUs());
    this.#followed.sent(active, sentUs);
    active.sent(sentUs);
    this.#reportEarly(active);
    this.#update();
  }

  /** Messages that were read before the report that a request was sent, or not sent. */
  #reportEarly(active: ActiveRequest): void {
    for (const { from, beganUs, payload, endUs } of active.takeEarly()) {
      this.#began(beganUs, from);
      if (payload) this.#received(payload, endUs, from);
    }
  }

  notSent(error: BusbarError): void {
    this.abandon(error);
  }

  presenceSent(atUs: number): void {
    this.#counters.sent += 1;
    this.#reportFunctional({}, presence, 'sent');
    this.#followed.active(atUs);
    this.#arm();
  }

  began(atUs: number, from: number): void {
    this.#began(atUs, from);
    this.#update();
  }

  #began(atUs: number, from: number): void {
    this.#active?.began(atUs, from);
    if (from === this.#own) this.#followed.began(atUs);
  }

  received(payload: Uint8Array, atUs: number, from: number): void {
    this.#counters.received += 1;
    this.#received(payload, atUs, from);
    this.#update();
  }

  #received(payload: Uint8Array, atUs: number, from: number): void {
    const active = this.#active;
    const isAnswer = active?.received(payload, atUs, from) ?? false;
    // The message is kept until the request was sent.
    if (isAnswer && !active?.isSent) return;
    const key = isAnswer ? active : null;
    const isFollowed = from === this.#own && this.#followed.received(payload, atUs, key);
    if (!isAnswer && !isFollowed) this.finding('unrequested_response');
  }

  broke(code: IsotpReceiverFailure, atUs: number, from: number): void {
    this.finding(code);
    this.#active?.broke(code, atUs, from);
    if (from === this.#own) this.#followed.broke();
    this.#update();
  }

  finding(code: string): void {
    this.#counters.findings += 1;
    this.#lastFinding = code;
  }

  /** P2 and P2* of the session, and what the bus adds to both. */
  #timersOn({ delayUs }: LinkTransport): SessionState['timers'] {
    const { p2Us, p2StarUs } = this.session.timers;
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

  #update(): void {
    const active = this.#active;
    if (active?.outcome !== undefined) this.#end(active, active.outcome);
    else this.#arm();
  }

  #end(active: ActiveRequest, outcome: Answer | BusbarError): void {
    this.#active = null;
    if (outcome instanceof BusbarError) {
      if (timeoutCodes.includes(outcome.code)) this.#counters.timeouts += 1;
      this.#transport?.cancel();
    }
    if (!active.isSent) this.#withdraw(active);
    this.#transport?.endRequest();
    this.#settle(outcome);
    this.#arm();
  }

  #withdraw(active: ActiveRequest): void {
    if (active.isFunctional) this.#reportFunctional(active, active.request, 'not_sent');
    this.#followed.withdraw(active, this.#options.clock.monotonicUs());
    this.#reportEarly(active);
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
    const active = this.#active;
    this.#active = null;
    if (active && !active.isSent) this.#withdraw(active);
    this.#transport?.close();
    this.#transport = null;
    this.#channel = null;
    this.#queue.refuseWaiting(error);
    this.#presenceUs = 0;
    this.#presenceDueUs = never;
    this.session.reset();
    this.seedLevel = null;
    this.#followed.clear();
    this.#interruption.abort(error);
    this.#timer.cancel();
    if (active) this.#settle(error);
  }

  #endListening(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopListening = [];
  }

  #arm(): void {
    const requestUs = this.#active?.deadlineUs ?? never;
    const dueUs = Math.min(
      ...[requestUs, this.session.deadlineUs, this.#presenceDueUs, this.#followed.deadlineUs],
    );
    if (dueUs === never) this.#timer.cancel();
    else this.#timer.scheduleAt(dueUs);
  }

  #expire(nowUs: number): void {
    if (nowUs >= this.#presenceDueUs) this.#sendPresence(nowUs);
    this.#followed.expire(nowUs);
    this.session.expire(nowUs);
    this.#active?.expire(nowUs, this.#transport?.isAwaitingFlow === true);
    this.#update();
  }

  #sendPresence(nowUs: number): void {
    this.#transport?.sendPresence();
    const next = this.#presenceDueUs + this.#presenceUs;
    this.#presenceDueUs = next > nowUs ? next : nowUs + this.#presenceUs;
  }
}
