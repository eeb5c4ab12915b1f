import { computed, effect, type Signal, signal, untracked } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { call, type SignalSample } from '../api/client.ts';
import { catalogs, plans } from '../state/bench.ts';
import { connection, isServed } from '../state/connection.ts';
import { remembered, rememberedList } from '../storage/remembered.ts';
import { RateMeter } from '../streams/rate-meter.ts';
import { noGaps } from './gap-log.ts';
import { SampleSeries } from './sample-series.ts';
import { SampleStream, type SampleStreamState } from './sample-stream.ts';
import {
  choiceKey,
  expiredOrigins,
  fileSlotOf,
  followedOf,
  freeLook,
  instanceOf,
  noChoice,
  originKey,
  originOf,
  type PlanOrigin,
  planFor,
  planOfAnySender,
  requestFor,
  type SignalChoice,
} from './signal-choices.ts';

const meter = new RateMeter();

export const rate = signal(0);

export const measureRate = (): void => {
  rate.value = meter.measure(feed.samples, performance.now());
};

export interface Place {
  readonly plan: string;
  readonly name: string;
  readonly frames: number;
  readonly series: SampleSeries;
}

type LoadSamples = (
  plan: string,
  signal: string,
  sequence: number,
) => Promise<readonly SignalSample[]>;

/** Loads samples from before the stream, once per signal and connection. */
export class HistoryFill {
  readonly #load: LoadSamples;
  #asked = new WeakMap<SampleSeries, string>();

  constructor(load: LoadSamples) {
    this.#load = load;
  }

  renew(): void {
    this.#asked = new WeakMap();
  }

  /** Holds live samples until `fill` has loaded the older ones. */
  hold(places: Iterable<Place>): void {
    for (const { series } of places) if (series.lastSequence === 0) series.beginFill();
  }

  /** Loads missing samples; signals of plans without frames have none. */
  async fill(places: Iterable<Place>): Promise<void> {
    await Promise.all([...places].map((place) => this.#fillOne(place)));
  }

  async #fillOne({ plan, name, frames, series }: Place): Promise<void> {
    if (this.#asked.get(series) === plan) return;
    if (frames === 0) {
      series.endFill([]);
      return;
    }
    if (series.lastSequence > 0 && !series.isStale) return;
    this.#asked.set(series, plan);
    series.beginFill();
    try {
      series.endFill(await this.#load(plan, name, series.lastSequence));
      if (series.lastSequence > 0) series.isStale = false;
    } catch {
      // The stream and the list of plans report the same error.
      series.endFill([]);
    }
  }
}

const pageSize = 4096;

/** No sample was decoded yet, or the plan was removed, which the list of plans reports. */
const absences = ['no_sample', 'plan_not_found', 'signal_not_found'];

/**
 * Samples after a sequence number, up to the newest one at the time of the call. Later samples
 * are received from the stream.
 */
export const samplesAfter = async (
  plan: string,
  signal: string,
  sequence: number,
): Promise<readonly SignalSample[]> => {
  const found: SignalSample[] = [];
  try {
    let newest = Number.POSITIVE_INFINITY;
    for (let after = sequence; ; ) {
      const query = { plan, signal, after, limit: pageSize };
      const { samples, next_after, newest_available } = await call('signal.history', query);
      found.push(...samples);
      newest = Math.min(newest, newest_available);
      if (samples.length === 0 || next_after <= after || next_after >= newest) return found;
      after = next_after;
    }
  } catch (thrown) {
    const { code, details } = thrown as ApiError;
    if (absences.includes(code)) return found;
    const oldest = details.oldest_available;
    // The ring buffer has overwritten the start; only its content remains.
    if (code !== 'cursor_expired' || typeof oldest !== 'number' || oldest - 1 <= sequence) {
      throw thrown;
    }
    return [...found, ...(await samplesAfter(plan, signal, oldest - 1))];
  }
};

export const looks = 8;
/** More signals can neither be distinguished nor drawn in time. */
export const choiceLimit = 64;

const kept = rememberedList('busbar.signals.choices', noChoice);

/** Signals selected by the user; they outlive a reload and every plan. */
export const choices = signal(kept.get().filter((choice) => fileSlotOf(choice) === null));
/** Further signals followed because a page shows them. */
export const watched = signal<readonly SignalChoice[]>([]);
export const knownPlans = computed(() => plans.data.value?.plans ?? null);
export const expired = computed(() => expiredOrigins(choices.value, knownPlans.value));
export const chooseError = signal<ApiError | null>(null);
export const planError = signal<ApiError | null>(null);
export const isRebuilding = signal(false);

const series = new Map<string, SampleSeries>();
let places = new Map<string, Place>();

const placeKey = (plan: string, name: string): string => `${plan} ${name}`;

export const seriesOf = (choice: SignalChoice): SampleSeries => {
  const key = choiceKey(choice);
  const there = series.get(key) ?? new SampleSeries();
  series.set(key, there);
  return there;
};

const history = new HistoryFill(samplesAfter);
const fillAll = (): void => void history.fill(places.values());

/** Only a list read after the stream is live shows which signals have older samples. */
const refill = async (): Promise<void> => {
  history.renew();
  history.hold(places.values());
  await plans.refresh();
  fillAll();
};

export const feed = new SampleStream({
  plans,
  onSample: (sample) => places.get(placeKey(sample.plan_id, sample.signal))?.series.take(sample),
  onGap: () => {
    for (const place of places.values()) place.series.break();
  },
  onLive: () => void refill(),
});

export const instanceStates = signal<ReadonlyMap<string, SampleStreamState>>(new Map());

/** Combined state of plans and instances: the most severe temporary one, then live. */
const byWeight: readonly SampleStreamState[] = [
  'token',
  'reconnecting',
  'connecting',
  'live',
  'ended',
];

/** State of the plot, over plans and instances, which start and stop together. */
export const plotState = computed<SampleStreamState>(() => {
  const own = feed.state.value;
  if (own === 'stopped') return own;
  const all = new Set([own, ...instanceStates.value.values()]);
  return byWeight.find((state) => all.has(state)) ?? own;
});

export const isPlotLive = computed(
  () =>
    feed.state.value === 'live' ||
    (feed.state.value !== 'stopped' && [...instanceStates.value.values()].includes('live')),
);

const bind = (): void => {
  const present = knownPlans.value;
  if (!present) return;
  places = new Map();
  const all = [...choices.value, ...watched.value];
  for (const choice of all) {
    const plan = planFor(choice, present);
    if (!plan) continue;
    const each = seriesOf(choice);
    each.bind(plan.plan_id);
    const place = { plan: plan.plan_id, name: choice.signal, frames: plan.frames, series: each };
    places.set(placeKey(place.plan, place.name), place);
  }
  const followed = followedOf(all, present);
  untracked(() => {
    feed.follow(followed);
    if (feed.state.peek() === 'live') fillAll();
  });
};

const markStale = (): void => {
  if (isServed.value && !feed.isBroken) return;
  history.renew();
  for (const choice of choices.peek()) {
    if (instanceOf(choice) !== null || fileSlotOf(choice) !== null) continue;
    const each = seriesOf(choice);
    each.isStale = each.latest !== null;
  }
};

/** Multiplexed signals have no cycle time in the database. */
const knowCycles = (): void => {
  for (const choice of [...choices.value, ...watched.value]) {
    const message = catalogs.data.value
      ?.get(choice.database)
      ?.message_page.find(({ name }) => name === choice.message);
    const isInEach = message?.signals.some(
      ({ name, multiplexing }) => name === choice.signal && multiplexing === null,
    );
    const cycleMs = isInEach && message?.cycle_time_ms;
    seriesOf(choice).cycleUs = cycleMs ? cycleMs * 1000 : null;
  }
};

effect(bind);
effect(knowCycles);
effect(markStale);
effect(() => {
  if (connection.value === 'token') feed.renew();
  if (isServed.value) feed.retry();
});
effect(() => kept.set(choices.value));

const create = async (origin: PlanOrigin): Promise<PlanOrigin> => {
  const { database, message } = origin;
  const plan = await call('signal.plan-create', requestFor(origin));
  await plans.refresh();
  return { ...plan, database, message };
};

const attempt = async (error: Signal<ApiError | null>, run: () => Promise<void>): Promise<void> => {
  error.value = null;
  try {
    await run();
  } catch (thrown) {
    error.value = thrown as ApiError;
  }
};

export const choose = (origin: PlanOrigin, name: string): Promise<void> =>
  attempt(chooseError, async () => {
    const wanted = { ...origin, signal: name };
    const present = knownPlans.peek() ?? [];
    const plan =
      planFor(wanted, present) ?? planOfAnySender(wanted, present) ?? (await create(origin));
    const choice: SignalChoice = {
      ...originOf(plan),
      signal: name,
      isPlotted: true,
      look: freeLook(choices.peek(), looks),
    };
    const isThere = choices.peek().some((other) => choiceKey(other) === choiceKey(choice));
    if (!isThere) choices.value = [...choices.peek(), choice];
  });

export const dismiss = (key: string): void => {
  choices.value = choices.peek().filter((choice) => choiceKey(choice) !== key);
  series.delete(key);
};

export const togglePlotted = (key: string): void => {
  choices.value = choices
    .peek()
    .map((choice) =>
      choiceKey(choice) === key ? { ...choice, isPlotted: !choice.isPlotted } : choice,
    );
};

export const decode = (origin: PlanOrigin): Promise<void> =>
  attempt(planError, async () => void (await create(origin)));

const seeded = remembered('localStorage', 'busbar.signals.seeded');

export const seedChoices = (
  wanted: readonly (PlanOrigin & { readonly signal: string })[],
): void => {
  const mark = JSON.stringify(wanted.map(choiceKey));
  if (wanted.length === 0 || choices.peek().length > 0 || seeded.get() === mark) return;
  seeded.set(mark);
  choices.value = wanted.map((each, at) => ({ ...each, isPlotted: true, look: at % looks }));
};

const rebuildOne = async (origin: PlanOrigin): Promise<void> => {
  const { selector } = await create(origin);
  // The channel name can belong to another port by now.
  choices.value = choices
    .peek()
    .map((choice) => (originKey(choice) === originKey(origin) ? { ...choice, selector } : choice));
};

export const rebuild = (origins: readonly PlanOrigin[]): Promise<void> =>
  attempt(planError, async () => {
    isRebuilding.value = true;
    const failures: unknown[] = [];
    for (const origin of origins) {
      await rebuildOne(origin).catch((thrown: unknown) => failures.push(thrown));
    }
    isRebuilding.value = false;
    if (failures.length > 0) throw failures[0];
  });

export const deletePlan = (plan: string): Promise<void> =>
  attempt(planError, async () => {
    await call('signal.plan-delete', { plan_id: plan });
    await plans.refresh();
  });

/** Signals of a file stay: they are chosen again to be read again. */
export const clearSamples = (): void => {
  for (const choice of choices.peek()) if (fileSlotOf(choice) === null) seriesOf(choice).clear();
  feed.gaps.value = noGaps;
};
