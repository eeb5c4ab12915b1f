import { computed, effect, untracked } from '@preact/signals';
import type { GatewaySignal, SignalSample } from '../api/client.ts';
import type { SampleStreamState } from '../samples/sample-stream.ts';
import { choiceKey, choiceOfInstance, freeLook, instanceOf } from '../samples/signal-choices.ts';
import {
  choiceLimit,
  choices,
  dismiss,
  feed,
  instanceStates,
  looks,
  seriesOf,
  togglePlotted as toggleChoice,
} from '../samples/signals-state.ts';
import { serviceNowUs } from '../state/service-clock.ts';
import { type FollowedInstance, type FollowState, followedInstance } from './followed-instance.ts';

/** Samples belong to a plan; those of an instance use its name instead. */
const planOf = (instance: string): string => `gateway ${instance}`;

const keyOf = (instance: string, id: string): string =>
  choiceKey(choiceOfInstance(instance, id, 0));

const choiceAt = (instance: string, id: string) =>
  choices.value.find((choice) => choiceKey(choice) === keyOf(instance, id));

export const isPlotted = (instance: string, id: string): boolean =>
  choiceAt(instance, id)?.isPlotted ?? false;

export const togglePlotted = (instance: string, { id }: GatewaySignal): boolean => {
  const choice = choiceAt(instance, id);
  if (choice?.isPlotted) dismiss(keyOf(instance, id));
  else if (choice) toggleChoice(keyOf(instance, id));
  else if (choices.peek().length >= choiceLimit) return false;
  else {
    const look = freeLook(choices.peek(), looks);
    choices.value = [...choices.peek(), choiceOfInstance(instance, id, look)];
  }
  return true;
};

/**
 * Returns whether a value is valid until the next one. Its timestamp is not that of the change:
 * a derived signal has that of its oldest input, a constant that of its start.
 */
const isHeldSignal = ({ producer }: GatewaySignal): boolean =>
  producer !== 'input' && producer !== 'waveform';

/** Common to all instances: a series accepts only newer samples. */
let sequence = 0;

const sampleOf = (instance: string, entry: GatewaySignal, timestamp_us: number): SignalSample => ({
  sequence: ++sequence,
  plan_id: planOf(instance),
  signal: entry.id,
  value: entry.value,
  raw: entry.bindings[0]?.raw ?? '',
  label: entry.label,
  unit: entry.unit ?? '',
  valid: entry.valid,
  timestamp_us,
  event_id: 0,
  mux: null,
  source_address: null,
});

const isBrokenOff = ({ state, held }: FollowedInstance): boolean =>
  state === 'stale' || state === 'gone' || held !== null;

interface Taken {
  readonly entry: GatewaySignal;
  readonly observedUs: number;
}

export class InstanceSamples {
  readonly #instance: FollowedInstance;
  readonly #taken = new Map<string, Taken>();

  constructor(instance: FollowedInstance) {
    this.#instance = instance;
  }

  take(ids: Iterable<string>): void {
    const { name, signals } = this.#instance;
    const isBroken = isBrokenOff(this.#instance);
    for (const id of ids) {
      const row = signals.rowOf(id);
      const entry = signals.at(row);
      const observedUs = signals.observedUsAt(row);
      const last = this.#taken.get(id);
      if (!entry || observedUs === null) continue;
      const isHeld = isHeldSignal(entry);
      const series = seriesOf(choiceOfInstance(name, id, 0));
      // A held value is added again after its line was cleared or broken.
      const isSame = isHeld
        ? series.latest !== null && (isBroken || !series.isStale)
        : last?.observedUs === observedUs;
      if (last?.entry === entry && isSame) continue;
      this.#taken.set(id, { entry, observedUs });
      series.bind(planOf(name));
      series.isHeld = isHeld;
      series.take(sampleOf(name, entry, isHeld ? serviceNowUs() : observedUs));
      series.isStale = isBroken;
    }
  }

  /** Extends held values up to now; they are added again on resume. */
  end(ids: Iterable<string>): void {
    for (const id of ids) {
      const series = seriesOf(choiceOfInstance(this.#instance.name, id, 0));
      const entry = this.#taken.get(id)?.entry;
      if (entry && isHeldSignal(entry)) {
        if (!series.isStale) series.take(sampleOf(this.#instance.name, entry, serviceNowUs()));
        this.#taken.delete(id);
      }
      series.break();
    }
  }

  break(ids: Iterable<string>): void {
    this.end(ids);
    for (const id of ids) {
      const series = seriesOf(choiceOfInstance(this.#instance.name, id, 0));
      series.isStale = series.latest !== null;
    }
  }
}

interface Followed {
  readonly samples: InstanceSamples;
  ids: ReadonlySet<string>;
  readonly stop: () => void;
}

const followed = new Map<string, Followed>();

const feedStates = {
  waiting: 'connecting',
  live: 'live',
  stale: 'reconnecting',
  gone: 'ended',
} as const satisfies Readonly<Record<FollowState, SampleStreamState>>;

const reportState = (name: string, state: SampleStreamState | null): void => {
  const states = new Map(instanceStates.peek());
  if (state === null) states.delete(name);
  else states.set(name, state);
  instanceStates.value = states;
};

const follow = (name: string): Followed => {
  const instance = followedInstance(name);
  const samples = new InstanceSamples(instance);
  const ids = (): ReadonlySet<string> => followed.get(name)?.ids ?? new Set();
  const takeNews = (): void => samples.take(ids());
  instance.onNews.add(takeNews);
  const leave = instance.use();
  const stopWatching = effect(() => {
    reportState(name, feedStates[instance.state]);
    const isBroken = isBrokenOff(instance);
    untracked(() => (isBroken ? samples.break(ids()) : samples.take(ids())));
  });
  const stop = (): void => {
    instance.onNews.delete(takeNews);
    stopWatching();
    samples.end(ids());
    leave();
    reportState(name, null);
  };
  return { samples, ids: new Set(), stop };
};

const isStopped = computed(() => feed.state.value === 'stopped');

effect(() => {
  const wanted = new Map<string, Set<string>>();
  for (const choice of isStopped.value ? [] : choices.value) {
    const instance = instanceOf(choice);
    if (instance === null) continue;
    wanted.set(instance, (wanted.get(instance) ?? new Set()).add(choice.signal));
  }
  untracked(() => {
    for (const [name, { stop }] of followed) {
      if (wanted.has(name)) continue;
      stop();
      followed.delete(name);
    }
    for (const [name, ids] of wanted) {
      const each = followed.get(name) ?? follow(name);
      each.ids = ids;
      followed.set(name, each);
      each.samples.take(ids);
    }
  });
});
