/** Pseudo-random numbers, the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A number in [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  integer(least: number, max: number): number {
    return least + Math.floor(this.fraction() * (max - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new RangeError('There is nothing to pick from');
    return item;
  }

  /** One of the names, with its weight as frequency. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    const total = names.reduce((sum, name) => sum + weights[name], 0);
    let rest = this.fraction() * total;
    for (const name of names) {
      rest -= weights[name];
      if (rest < 0) return name;
    }
    return this.pick(names);
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const left = [...items];
    const shuffled: Item[] = [];
    while (left.length > 0) shuffled.push(...left.splice(this.integer(0, left.length - 1), 1));
    return shuffled;
  }

  some<Fields extends object>(probability: number, fields: Fields): Partial<Fields> {
    const kept = Object.entries(fields).filter(() => this.chance(probability));
    return Object.fromEntries(kept) as Partial<Fields>;
  }
}
