import { effect, untracked } from '@preact/signals';
import type { GatewaySignal, SignalSample } from '../api/schema.ts';
import { choiceKey, choiceOfInstance, freeLook, instanceOf } from '../samples/signal-choices.ts';
import {
  choiceLimit,
  choices,
  dismiss,
  looks,
  seriesOf,
  togglePlotted as toggleChoice,
} from '../samples/signals-state.ts';
import { type FollowedInstance, followedInstance } from './followed-instance.ts';

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

const sampleOf = (
  instance: string,
  entry: GatewaySignal,
  sequence: number,
  observedUs: number,
): SignalSample => ({
  sequence,
  plan_id: planOf(instance),
  signal: entry.id,
  value: entry.value,
  raw: entry.bindings[0]?.raw ?? '',
  label: entry.label,
  unit: entry.unit ?? '',
  valid: entry.valid,
  timestamp_us: observedUs,
  event_id: 0,
});

/** What was last taken of a signal. */
interface Taken {
  readonly entry: GatewaySignal;
  readonly observedUs: number;
}

/** Takes the signals of one instance that are plotted from its stream into their series. */
export class InstanceSamples {
  readonly #instance: FollowedInstance;
  readonly #taken = new Map<string, Taken>();
  #sequence = 0;

  constructor(instance: FollowedInstance) {
    this.#instance = instance;
  }

  /** Takes what is new of these signals: another value, or the same one observed again. */
  take(ids: Iterable<string>): void {
    const { name, signals } = this.#instance;
    for (const id of ids) {
      const row = signals.rowOf(id);
      const entry = signals.at(row);
      const observedUs = signals.observedUsAt(row);
      const last = this.#taken.get(id);
      if (!entry || observedUs === null) continue;
      if (last?.entry === entry && last.observedUs === observedUs) continue;
      this.#taken.set(id, { entry, observedUs });
      this.#sequence += 1;
      const series = seriesOf(choiceOfInstance(name, id, 0));
      series.bind(planOf(name));
      series.take(sampleOf(name, entry, this.#sequence, observedUs));
    }
  }

  /** What comes next is not in line with what came so far. */
  break(ids: Iterable<string>): void {
    for (const id of ids) {
      const series = seriesOf(choiceOfInstance(this.#instance.name, id, 0));
      series.break();
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

const follow = (name: string): Followed => {
  const instance = followedInstance(name);
  const samples = new InstanceSamples(instance);
  const takeNews = (): void => samples.take(followed.get(name)?.ids ?? []);
  instance.onNews.add(takeNews);
  const leave = instance.use();
  const stopWatching = effect(() => {
    if (instance.state === 'stale' || instance.state === 'gone') {
      samples.break(followed.get(name)?.ids ?? []);
    }
  });
  const stop = (): void => {
    instance.onNews.delete(takeNews);
    stopWatching();
    leave();
  };
  return { samples, ids: new Set(), stop };
};

/** Follows every instance that has a signal in the plot, for as long as it has. */
effect(() => {
  const wanted = new Map<string, Set<string>>();
  for (const choice of choices.value) {
    const instance = instanceOf(choice);
    if (instance === null) continue;
    wanted.set(instance, (wanted.get(instance) ?? new Set()).add(choice.signal));
  }
  for (const [name, { stop }] of followed) {
    if (wanted.has(name)) continue;
    stop();
    followed.delete(name);
  }
  for (const [name, ids] of wanted) {
    const each = followed.get(name) ?? untracked(() => follow(name));
    each.ids = ids;
    followed.set(name, each);
    each.samples.take(ids);
  }
});
