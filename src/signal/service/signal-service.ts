import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { SubscriptionHandle } from '../../base/subscription.ts';
import type { EventSink, ReaderHub } from '../../broker/reader-hub.ts';
import { wholeRing } from '../../broker/ring-cursor.ts';
import { type DatabaseName, notOnBus } from '../../database/database-name.ts';
import type { FoundMessage, OmittedSignal } from '../../database/database-store.ts';
import type { MessageReference } from '../../database/find-message.ts';
import type { Message } from '../../database/model.ts';
import {
  type AttachedDatabase,
  messageNotFound,
} from '../../database/service/attached-database.ts';
import type { Bus } from '../../frame/frm2-layout.ts';
import type { LongRecords } from '../../frame/long-record.ts';
import { decodableSignals } from '../decodable-signals.ts';
import { GroupMatch } from '../live/group-match.ts';
import { LivePlan, type SamplePage } from '../live/live-plan.ts';
import { PlanSet, type SampleChoice } from '../live/plan-set.ts';
import { SampleHub, type SampleSink } from '../live/sample-hub.ts';
import type { SignalPlan } from './signal-records.ts';
import { wholePlan } from './whole-plan.ts';

type PlanDatabase = Pick<DatabaseName, 'name' | 'bus'>;

export interface PlanRequest {
  readonly channel: string;
  readonly database?: string | undefined;
  readonly message?: MessageReference | undefined;
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
  readonly contentOf: (database: string) => Promise<AttachedDatabase>;
  readonly attachedTo: (slot: number) => readonly AttachedDatabase[];
}

export interface SampleQuery {
  readonly plan?: readonly string[];
  readonly signal?: readonly string[];
  readonly after?: number;
}

interface SignalServiceOptions {
  readonly events: ReaderHub;
  readonly longRecords: Pick<LongRecords, 'follow'>;
  readonly clock: Clock;
  readonly selectorOf: (slot: number) => string;
  readonly maxPlans: number;
  readonly maxBytes: number;
  readonly maxSignals: number;
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

type FoundRequest = PlanRequest & { readonly message: MessageReference };

const nothingAttached = (channel: string): BusbarError =>
  new BusbarError('database_not_found', {
    message: `No database is attached to ${channel}`,
    details: { field: 'database', channel },
    hint: `busbar database attach <database> --channel=${channel} attaches one.`,
  });

interface PlanOrigin {
  readonly channel: string;
  readonly selector: string;
  readonly databases: readonly string[];
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
  if (group) return new GroupMatch(group, sourceAddress ?? null);
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
  /** Set while a plan has a J1939 message. */
  stopLongRecords: (() => void) | undefined;
}

const hasGroup = ({ parts }: LivePlan): boolean =>
  parts.some(({ message }) => message.pgn !== undefined);

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
  if (life.stopLongRecords && !life.plans.list().some(hasGroup)) {
    life.stopLongRecords();
    life.stopLongRecords = undefined;
  }
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
    const life: SignalSession = {
      plans,
      samples,
      decoding: undefined,
      stopLongRecords: undefined,
    };
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
    life?.stopLongRecords?.();
    life?.samples.close();
    life?.plans.clear();
    if (life) this.#nextSequence = life.plans.newestSequence + 1;
  }

  async create(request: PlanRequest, sources: PlanSources): Promise<SignalPlan> {
    // Checked before any lookup: without the web service no plans exist.
    this.#running();
    const { channel, message } = request;
    const { slot, bus } = await sources.channelOf(channel);
    const checkBus = (database: PlanDatabase): void => {
      if ((database.bus === 'lin') !== (bus === 'lin'))
        throw notOnBus(database, channel, 'database');
    };
    if (message === undefined) return this.#createWhole(request, slot, sources, checkBus);
    const { database, found } = await this.#find({ ...request, message }, slot, sources);
    checkBus({ name: database, bus: found.message.lin === undefined ? 'can' : 'lin' });
    return this.#addMessage(request, slot, database, found);
  }

  /** Without a database, the first attached one that has the message. */
  async #find(
    { channel, database, message, signals }: FoundRequest,
    slot: number,
    { messageOf, attachedTo }: PlanSources,
  ): Promise<{ database: string; found: FoundMessage }> {
    if (database !== undefined) {
      return { database, found: await messageOf(database, message, signals ?? null) };
    }
    const databases = attachedTo(slot);
    for (const { name } of databases) {
      try {
        return { database: name, found: await messageOf(name, message, signals ?? null) };
      } catch (thrown) {
        if (BusbarError.from(thrown).code !== 'message_not_found') throw thrown;
      }
    }
    throw messageNotFound(databases, String(message), channel);
  }

  async #createWhole(
    request: PlanRequest,
    slot: number,
    { contentOf, attachedTo }: PlanSources,
    checkBus: (database: PlanDatabase) => void,
  ): Promise<SignalPlan> {
    const { channel, database, history } = request;
    const databases = database === undefined ? attachedTo(slot) : [await contentOf(database)];
    if (databases.length === 0) throw nothingAttached(channel);
    databases.forEach(checkBus);
    const { omitted, ...several } = wholePlan(databases, request, this.#options.maxSignals);
    const names = databases.map(({ name }) => name);
    return this.#add(request, slot, names, omitted, (planId) => {
      return new LivePlan({ planId, channel: slot, history, several });
    });
  }

  #addMessage(
    request: PlanRequest,
    slot: number,
    database: string,
    found: FoundMessage,
  ): SignalPlan {
    const { message } = found;
    const group = groupMatch(found, request.source_address);
    const { names, omitted } = decodableSignals(message, found.signals);
    const leftOut = [...found.omitted, ...omitted];
    if (names.length === 0) throw noSignals(message, leftOut);
    const { history } = request;
    return this.#add(request, slot, [database], leftOut, (planId) => {
      return new LivePlan({ planId, channel: slot, message, signals: names, history, group });
    });
  }

  #add(
    { channel }: PlanRequest,
    slot: number,
    databases: readonly string[],
    omitted: readonly OmittedSignal[],
    make: (planId: string) => LivePlan,
  ): SignalPlan {
    const life = this.#running();
    const { maxPlans, maxBytes, selectorOf } = this.#options;
    if (life.plans.list().length >= maxPlans) throw tooManyPlans(maxPlans);
    const selector = selectorOf(slot);
    if (selector === '') {
      // The channel was closed during the lookup.
      throw new BusbarError('channel_not_open', { details: { channel } });
    }
    const plan = make(`plan-${randomUUID().slice(0, 8)}`);
    const promised = life.plans.list().reduce((sum, other) => sum + other.maxBytes, 0);
    if (promised + plan.maxBytes > maxBytes) throw beyondBudget(maxBytes, promised, plan.maxBytes);
    life.plans.add(plan);
    this.#origins.set(plan, { channel, selector, databases, omitted });
    life.decoding ??= this.#decode(life);
    if (hasGroup(plan)) {
      life.stopLongRecords ??= this.#options.longRecords.follow((record) => {
        if (life.plans.takeLong(record)) life.samples.wake();
      });
    }
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
    const { planId, channel: slot, message, messages, group, signals, capacity, frames } = plan;
    const {
      channel = '',
      selector = '',
      databases = [],
      omitted = [],
    } = this.#origins.get(plan) ?? {};
    return {
      plan_id: planId,
      channel,
      selector,
      slot,
      database: databases.length === 1 ? (databases[0] ?? null) : null,
      databases: [...databases],
      message: message?.name ?? null,
      messages: [...messages],
      id: message?.id ?? null,
      extended: message?.extended ?? null,
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
