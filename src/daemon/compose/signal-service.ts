import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { wholeRing } from '../../broker/reader.ts';
import type { ReaderHub, Subscription } from '../../broker/reader-hub.ts';
import type { FoundMessage, OmittedSignal } from '../../database/database-shelf.ts';
import type { Message } from '../../database/model.ts';
import { limits } from '../../operations/limits.ts';
import type { SignalPlan } from '../../operations/signal.ts';
import { decodableSignals } from '../../signal/decodable-signals.ts';
import { GroupMatch } from '../../signal/live/group-match.ts';
import { LivePlan, type SamplePage } from '../../signal/live/live-plan.ts';
import { PlanSet, type SampleChoice } from '../../signal/live/plan-set.ts';
import { SampleHub, type SampleSubscription } from '../../signal/live/sample-hub.ts';
import type { SampleOutlet } from '../../signal/live/sample-outlet.ts';
import type { SampleQuery } from '../../web/http/event-streams.ts';
import { DecodeOutlet } from './decode-outlet.ts';

/** What a new plan is to decode, everything looked up. */
export interface PlanWish {
  readonly channel: string;
  readonly slot: number;
  readonly database: string;
  readonly found: FoundMessage;
  /** Only frames from this J1939 address. */
  readonly sourceAddress: number | null;
  readonly history: number;
}

interface SignalServiceOptions {
  readonly events: ReaderHub;
  readonly clock: Clock;
  /** Selector of an open channel; empty for one that is closed. */
  readonly selectorOf: (slot: number) => string;
  readonly onDefect: (thrown: unknown) => void;
}

/** Signals that a record tells of as left out; a file that has more has the same fault many times. */
const shownOmitted = 100;

const beyondBudget = (wanted: number, promised: number): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `The samples of all plans together may take ${limits.signalBytes} bytes`,
    details: { field: 'history', limit: limits.signalBytes, promised, wanted },
  });

/** What is remembered of a plan beside what it does. */
interface PlanOrigin {
  readonly channel: string;
  readonly selector: string;
  readonly database: string;
  /** Signals that were asked for and cannot be decoded. */
  readonly omitted: readonly OmittedSignal[];
}

const noSignals = ({ name }: Message, omitted: readonly OmittedSignal[]): BusbarError => {
  const [first] = omitted;
  const message = first
    ? `None of the signals of ${name} can be decoded. ${first.signal}: ${first.reason}`
    : `${name} has no signals`;
  const shown = omitted.slice(0, shownOmitted);
  return invalidArgument('signals', message, { reason: 'undecodable', omitted: shown });
};

/** Which frames the plan is about, where an identifier does not tell. */
const groupMatch = ({ found, sourceAddress }: PlanWish): GroupMatch | null => {
  const { group, message } = found;
  if (group) return new GroupMatch(group, message.id, sourceAddress);
  if (sourceAddress === null) return null;
  throw invalidArgument(
    'source_address',
    `${message.name} is no J1939 parameter group, so its frames have no source address`,
    { reason: 'not_j1939' },
  );
};

/** Everything that one life of the Web service has decoded. */
interface SignalLife {
  readonly plans: PlanSet;
  readonly samples: SampleHub;
  /** The cursor of all plans together; there is one as long as there are plans. */
  decoding: Subscription | undefined;
}

/** Without plans nobody has to look at events. */
const stopIfIdle = (life: SignalLife): void => {
  if (life.plans.list().length > 0) return;
  life.decoding?.close();
  life.decoding = undefined;
};

/** The signal plans of the Web service. They begin and end with it. */
export class SignalService {
  readonly #options: SignalServiceOptions;
  readonly #origins = new WeakMap<LivePlan, PlanOrigin>();
  #life: SignalLife | null = null;
  #nextSequence = 1;

  constructor(options: SignalServiceOptions) {
    this.#options = options;
  }

  begin(): void {
    const { clock, onDefect } = this.#options;
    const plans = new PlanSet(this.#nextSequence);
    const samples = new SampleHub({ plans, clock, onDefect });
    const life: SignalLife = { plans, samples, decoding: undefined };
    plans.onFailed = (_plan, thrown) => {
      onDefect(thrown);
      stopIfIdle(life);
    };
    this.#life = life;
  }

  end(): void {
    const life = this.#life;
    this.#life = null;
    life?.decoding?.close();
    life?.samples.close();
    life?.plans.clear();
    if (life) this.#nextSequence = life.plans.newestSequence + 1;
  }

  create(wish: PlanWish): SignalPlan {
    const life = this.#running();
    if (life.plans.list().length >= limits.signalPlans) {
      throw new BusbarError('capacity_exceeded', {
        message: `At most ${limits.signalPlans} plans can be active`,
        details: { limit: limits.signalPlans },
      });
    }
    const { channel, slot, database, found, history } = wish;
    const { message } = found;
    const known = new Set(message.signals.map(({ name }) => name));
    const unknown = found.signals.find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw new BusbarError('signal_not_found', {
        message: `${message.name} has no signal ${unknown}`,
        details: { field: 'signals', database, message: message.name, signal: unknown },
      });
    }
    if (this.#options.selectorOf(slot) === '') {
      // It was closed while the message was looked up.
      throw new BusbarError('channel_not_open', { details: { channel } });
    }
    const group = groupMatch(wish);
    const { names, omitted } = decodableSignals(message, found.signals);
    const leftOut = [...found.omitted, ...omitted];
    if (names.length === 0) throw noSignals(message, leftOut);
    const planId = `plan-${randomUUID().slice(0, 8)}`;
    const plan = new LivePlan({ planId, channel: slot, message, signals: names, history, group });
    const promised = life.plans.list().reduce((sum, { mostBytes }) => sum + mostBytes, 0);
    if (promised + plan.mostBytes > limits.signalBytes)
      throw beyondBudget(plan.mostBytes, promised);
    life.plans.add(plan);
    const selector = this.#options.selectorOf(slot);
    this.#origins.set(plan, { channel, selector, database, omitted: leftOut });
    life.decoding ??= this.#decode(life);
    return this.record(plan);
  }

  #decode(life: SignalLife): Subscription {
    const { plans, samples } = life;
    const onEnded = (): void => {
      life.decoding = undefined;
      if (this.#life !== life) return;
      // Nobody can tell how much was not seen meanwhile; that it was at least one is certain.
      plans.missed(1);
      life.decoding = this.#decode(life);
    };
    return this.#options.events.subscribe({
      channels: null,
      after: null,
      capacity: wholeRing,
      outlet: new DecodeOutlet(plans, samples, onEnded),
    });
  }

  delete(planId: string): SignalPlan {
    const life = this.#running();
    const record = this.record(life.plans.get(planId));
    life.plans.remove(planId);
    stopIfIdle(life);
    return record;
  }

  /** All plans, and what they missed together. */
  list() {
    const { plans } = this.#running();
    return { plans: plans.list(), missedEvents: plans.missedRecords };
  }

  latest(planId: string, signal: string) {
    return { plan_id: planId, ...this.#running().plans.latest(planId, signal) };
  }

  history(planId: string, signal: string, after: number, limit: number): SamplePage {
    return this.#running().plans.history(planId, signal, after, limit);
  }

  subscribe(query: SampleQuery, outlet: SampleOutlet): SampleSubscription {
    const { plans, samples } = this.#running();
    if (plans.list().length === 0) {
      throw new BusbarError('plan_not_found', { message: 'There is no plan to follow' });
    }
    const choices: SampleChoice[] = plans.choose(
      query.plan ?? plans.list().map(({ planId }) => planId),
      query.signal ?? null,
    );
    return samples.subscribe({ choices, after: query.after ?? null, outlet });
  }

  /** Refuses what makes no sense without the Web service. */
  requireRunning(): void {
    this.#running();
  }

  #running(): SignalLife {
    if (this.#life) return this.#life;
    throw new BusbarError('web_not_running');
  }

  /** A plan as clients see it. */
  record(plan: LivePlan): SignalPlan {
    const { planId, channel: slot, message, group, signals, capacity, frames } = plan;
    const {
      channel = '',
      selector = '',
      database = '',
      omitted = [],
    } = this.#origins.get(plan) ?? {};
    return {
      plan_id: planId,
      channel,
      selector,
      slot,
      database,
      message: message.name,
      id: message.id,
      extended: message.extended,
      pgn: group?.pgn ?? null,
      source_address: group?.source ?? null,
      signals: signals.map(({ name }) => name),
      omitted: omitted.slice(0, shownOmitted),
      omitted_total: omitted.length,
      history: capacity,
      frames,
      channel_open: this.#options.selectorOf(slot) !== '',
    };
  }
}
