import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { SubscriptionHandle } from '../../base/subscription.ts';
import type { EventSink, ReaderHub } from '../../broker/reader-hub.ts';
import { wholeRing } from '../../broker/ring-cursor.ts';
import type { FoundMessage, OmittedSignal } from '../../database/database-store.ts';
import type { MessageReference } from '../../database/find-message.ts';
import type { Message } from '../../database/model.ts';
import type { Bus } from '../../frame/frm2-layout.ts';
import { decodableSignals } from '../decodable-signals.ts';
import { GroupMatch } from '../live/group-match.ts';
import { LivePlan, type SamplePage } from '../live/live-plan.ts';
import { PlanSet, type SampleChoice } from '../live/plan-set.ts';
import { SampleHub, type SampleSink } from '../live/sample-hub.ts';
import type { SignalPlan } from './signal-records.ts';

export interface PlanRequest {
  readonly channel: string;
  readonly database: string;
  readonly message: MessageReference;
  readonly signals?: readonly string[] | undefined;
  readonly source_address?: number | undefined;
  readonly history: number;
}

export interface PlanSources {
  readonly channelOf: (selector: string) => Promise<{ readonly slot: number; readonly bus: Bus }>;
  readonly messageOf: (
    database: string,
    message: MessageReference,
    signals: readonly string[] | null,
  ) => Promise<FoundMessage>;
}

export interface SampleQuery {
  readonly plan?: readonly string[];
  readonly signal?: readonly string[];
  readonly after?: number;
}

interface SignalServiceOptions {
  readonly events: ReaderHub;
  readonly clock: Clock;
  readonly selectorOf: (slot: number) => string;
  readonly maxPlans: number;
  readonly maxBytes: number;
  readonly onDefect: (thrown: unknown) => void;
}

const shownOmitted = 100;

const tooManyPlans = (limit: number): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `At most ${limit} signal plans can be active`,
    details: { limit },
  });

const beyondBudget = (limit: number, promised: number, wanted: number): BusbarError =>
  new BusbarError('capacity_exceeded', {
    message: `The samples of all plans together must not exceed ${limit} bytes`,
    details: { field: 'history', limit, promised, wanted },
    retryable: wanted <= limit,
  });

interface PlanOrigin {
  readonly channel: string;
  readonly selector: string;
  readonly database: string;
  readonly omitted: readonly OmittedSignal[];
}

const noSignals = ({ name }: Message, omitted: readonly OmittedSignal[]): BusbarError => {
  const [first] = omitted;
  const message = first
    ? `No signal of ${name} can be decoded. ${first.signal}: ${first.reason}`
    : `${name} has no signals`;
  const shown = omitted.slice(0, shownOmitted);
  return invalidArgument('signals', message, { reason: 'undecodable', omitted: shown });
};

/** Selects frames where the identifier alone does not. */
const groupMatch = (
  { group, message }: FoundMessage,
  sourceAddress: number | undefined,
): GroupMatch | null => {
  if (group) return new GroupMatch(group, message.id, sourceAddress ?? null);
  if (sourceAddress === undefined) return null;
  throw invalidArgument(
    'source_address',
    `${message.name} is not a J1939 message, so its frames have no source address`,
    { reason: 'not_j1939' },
  );
};

interface SignalSession {
  readonly plans: PlanSet;
  readonly samples: SampleHub;
  decoding: SubscriptionHandle | undefined;
}

/** Offers every event to the plans. `onEnded` is called if the source ends the subscription. */
const decodeSink = (plans: PlanSet, samples: SampleHub, onEnded: () => void): EventSink => {
  let hasTaken = false;
  return {
    kind: 'decode',
    isReady: true,
    item: ({ view }, offset) => {
      if (plans.take(view, offset)) hasTaken = true;
      return true;
    },
    gap: (_bounds, missed) => {
      plans.missed(missed ?? 0);
      hasTaken = true;
    },
    flush: () => {
      if (!hasTaken) return;
      hasTaken = false;
      samples.wake();
    },
    end: onEnded,
  };
};

/** Without plans no event needs decoding. */
const stopIfIdle = (life: SignalSession): void => {
  if (life.plans.list().length > 0) return;
  life.decoding?.close();
  life.decoding = undefined;
};

export class SignalService {
  readonly #options: SignalServiceOptions;
  readonly #origins = new WeakMap<LivePlan, PlanOrigin>();
  #life: SignalSession | null = null;
  #nextSequence = 1;

  constructor(options: SignalServiceOptions) {
    this.#options = options;
  }

  begin(): void {
    const { clock, onDefect } = this.#options;
    const plans = new PlanSet(this.#nextSequence);
    const samples = new SampleHub({ plans, clock, onDefect });
    const life: SignalSession = { plans, samples, decoding: undefined };
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

  async create(request: PlanRequest, { channelOf, messageOf }: PlanSources): Promise<SignalPlan> {
    // Checked before any lookup: without the web service no plans exist.
    this.#running();
    const { channel, database } = request;
    const { slot, bus } = await channelOf(channel);
    if (bus === 'lin') {
      throw invalidArgument(
        'channel',
        'Signal plans decode CAN messages, but this is a LIN channel',
        {
          reason: 'not_on_bus',
          channel,
        },
      );
    }
    const found = await messageOf(database, request.message, request.signals ?? null);
    return this.#add(request, slot, found);
  }

  #add(request: PlanRequest, slot: number, found: FoundMessage): SignalPlan {
    const life = this.#running();
    const { maxPlans, maxBytes, selectorOf } = this.#options;
    if (life.plans.list().length >= maxPlans) throw tooManyPlans(maxPlans);
    const { channel, database, history } = request;
    const { message } = found;
    const known = new Set(message.signals.map(({ name }) => name));
    const unknown = found.signals.find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw new BusbarError('signal_not_found', {
        message: `${message.name} has no signal ${unknown}`,
        details: { field: 'signals', database, message: message.name, signal: unknown },
      });
    }
    const selector = selectorOf(slot);
    if (selector === '') {
      // The channel was closed during the lookup.
      throw new BusbarError('channel_not_open', { details: { channel } });
    }
    const group = groupMatch(found, request.source_address);
    const { names, omitted } = decodableSignals(message, found.signals);
    const leftOut = [...found.omitted, ...omitted];
    if (names.length === 0) throw noSignals(message, leftOut);
    const planId = `plan-${randomUUID().slice(0, 8)}`;
    const plan = new LivePlan({ planId, channel: slot, message, signals: names, history, group });
    const promised = life.plans.list().reduce((sum, each) => sum + each.maxBytes, 0);
    if (promised + plan.maxBytes > maxBytes) {
      throw beyondBudget(maxBytes, promised, plan.maxBytes);
    }
    life.plans.add(plan);
    this.#origins.set(plan, { channel, selector, database, omitted: leftOut });
    life.decoding ??= this.#decode(life);
    return this.record(plan);
  }

  #decode(life: SignalSession): SubscriptionHandle {
    const { plans, samples } = life;
    const onEnded = (): void => {
      life.decoding = undefined;
      if (this.#life !== life) return;
      // The number of missed events is unknown, but at least one.
      plans.missed(1);
      life.decoding = this.#decode(life);
    };
    return this.#options.events.subscribe({
      channels: null,
      after: null,
      capacity: wholeRing,
      sink: decodeSink(plans, samples, onEnded),
    });
  }

  delete(planId: string): SignalPlan {
    const life = this.#running();
    const record = this.record(life.plans.get(planId));
    life.plans.remove(planId);
    stopIfIdle(life);
    return record;
  }

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

  subscribe(query: SampleQuery, sink: SampleSink): SubscriptionHandle {
    const { plans, samples } = this.#running();
    if (query.plan === undefined && plans.list().length === 0) {
      throw new BusbarError('plan_not_found', { message: 'No signal plan selected' });
    }
    const choices: SampleChoice[] = plans.choose(
      query.plan ?? plans.list().map(({ planId }) => planId),
      query.signal ?? null,
    );
    return samples.subscribe({ choices, after: query.after ?? null, sink });
  }

  #running(): SignalSession {
    if (this.#life) return this.#life;
    throw new BusbarError('web_not_running');
  }

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
