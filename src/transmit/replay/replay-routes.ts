import { channelKeysOf } from '../../trace/channel-key.ts';

/** Whether a text is the number of a channel, as requests have them: they count from 1. */
export const isChannelNumber = (text: string): boolean => {
  const [key] = channelKeysOf(text);
  return key !== undefined && !/^[CL]?0/.test(text);
};

const isOfOneBus = (text: string): boolean => /^[CL]/.test(text);

/** Where the events of each channel of a file go, as far as they go anywhere. */
export interface ReplayRoutes<Target> {
  /** Takes the names of channels that have turned up. */
  learn(names: readonly (readonly [key: number, name: string])[]): void;
  targetOf(key: number): Target | undefined;
}

/** By numbers: `L1` is for LIN 1 before `1` is, which is for CAN 1 as well. */
class NumberedRoutes<Target> implements ReplayRoutes<Target> {
  readonly #targets = new Map<number, Target>();

  constructor(mappings: ReadonlyMap<string, Target>) {
    const inOrder = [...mappings].sort(([a], [b]) => Number(isOfOneBus(a)) - Number(isOfOneBus(b)));
    for (const [text, target] of inOrder) {
      for (const key of channelKeysOf(text)) this.#targets.set(key, target);
    }
  }

  learn(): void {}

  targetOf(key: number): Target | undefined {
    return this.#targets.get(key);
  }
}

/**
 * By names, or else by numbers. A mapping is for one channel, the first that it fits. Where the name
 * of a channel looks like a number, only the name counts: which channel is meant by a number would
 * else depend on what comes later in the file.
 */
class NamedRoutes<Target> implements ReplayRoutes<Target> {
  readonly #unused: Map<string, Target>;
  readonly #known = new Set<number>();
  readonly #targets = new Map<number, Target>();

  constructor(mappings: ReadonlyMap<string, Target>) {
    this.#unused = new Map(mappings);
  }

  learn(names: readonly (readonly [key: number, name: string])[]): void {
    for (const [key, name] of names) {
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      const texts = isChannelNumber(name) ? [name] : [name, `C${key}`, `${key}`];
      const text = texts.find((one) => this.#unused.has(one));
      if (text === undefined) continue;
      this.#targets.set(key, this.#unused.get(text) as Target);
      this.#unused.delete(text);
    }
  }

  targetOf(key: number): Target | undefined {
    return this.#targets.get(key);
  }
}

/** Routes for a file whose channels have names, as a candump log's, or numbers only. */
export const replayRoutes = <Target>(
  mappings: ReadonlyMap<string, Target>,
  hasNames: boolean,
): ReplayRoutes<Target> => (hasNames ? new NamedRoutes(mappings) : new NumberedRoutes(mappings));
