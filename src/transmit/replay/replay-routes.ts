import { channelKeysOf } from '../../trace/channel-key.ts';

export const isChannelNumber = (text: string): boolean => {
  const [key] = channelKeysOf(text);
  return key !== undefined && !/^[CL]?0/.test(text);
};

const isOfOneBus = (text: string): boolean => /^[CL]/.test(text);

export interface ReplayRoutes<Target> {
  learn(names: readonly (readonly [key: number, name: string])[]): void;
  targetOf(key: number): Target | undefined;
}

/** Routes by number: for LIN 1, `L1` takes precedence over `1`, which also means CAN 1. */
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
 * Routes by name, otherwise by number. A mapping applies to the first channel that it matches.
 * A name that looks like a number is only a name; otherwise its meaning would depend on the
 * rest of the file.
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

/** Candump logs have channel names; other formats only have numbers. */
export const replayRoutes = <Target>(
  mappings: ReadonlyMap<string, Target>,
  hasNames: boolean,
): ReplayRoutes<Target> => (hasNames ? new NamedRoutes(mappings) : new NumberedRoutes(mappings));
