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

/** Series take samples of a plan; those of an instance have its name in place of one. */
const planOf = (instance: string): string => `gateway ${instance}`;

const keyOf = (instance: string, id: string): string =>
  choiceKey(choiceOfInstance(instance, id, 0));

const choiceAt = (instance: string, id: string) =>
  choices.value.find((choice) => choiceKey(choice) === keyOf(instance, id));

/** Whether a signal of an instance has a line in the plot. */
export const isPlotted = (instance: string, id: string): boolean =>
  choiceAt(instance, id)?.isPlotted ?? false;

/** Gives a signal a line in the plot, or takes it away. Answers whether there was room for it. */
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
 * Whether a value holds until the next one. The time of such a signal is not that of its change: a
 * derived one has that of its earliest input, a constant that of its beginning.
 */
const isHeldSignal = ({ producer }: GatewaySignal): boolean =>
  producer !== 'input' && producer !== 'waveform';

/** Counts through all that is followed again and again: a series takes only what is newer. */
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
});

/** Whether values are no longer known to be what they were. */
const isBrokenOff = ({ state, held }: FollowedInstance): boolean =>
  state === 'stale' || state === 'gone' || held !== null;

/** What was last taken of a signal. */
interface Taken {
  readonly entry: GatewaySignal;
  readonly observedUs: number;
}

/** Takes the signals of one instance that are plotted from its stream into their series. */
export class InstanceSamples {
  readonly #instance: FollowedInstance;
  readonly #taken = new Map<string, Taken>();

  constructor(instance: FollowedInstance) {
    this.#instance = instance;
  }

  /** Takes what is new of these signals: another value, or the same one observed again. */
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
      // What holds is taken once more where its line was cleared or broken.
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

  /** Nothing more is taken: values that hold did so until now, and are taken anew when it goes on. */
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

  /** What comes next is not in line with what came so far. */
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

/** Follows every instance that has a signal in the plot, for as long as it has and the plot goes on. */
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
