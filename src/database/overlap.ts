import { bitOf } from './layout.ts';
import type { Message, Signal } from './model.ts';

export type PlacedSignal = Pick<
  Signal,
  'name' | 'startBit' | 'length' | 'byteOrder' | 'multiplexing'
>;

export interface Overlap {
  readonly signal: number;
  readonly other: number;
}

interface Step {
  readonly value: bigint;
  readonly isEntry: boolean;
  readonly signal: number;
}

const free = -1;

/** What a step costs, in bits: to sort it once, and to take it. */
const sortEffort = 64;
const stepEffort = 16;

/**
 * Finds overlapping signals of a message in time linear in their bits, not in their pairs.
 * Signals claim their bits one after the other; multiplexed signals claim and release them in
 * order of the switch values.
 */
export class OverlapFinder {
  #claims: Int32Array = new Int32Array(512).fill(free);
  #bits = 0;
  #effort: number;
  readonly #deepest: number;
  #signals: readonly PlacedSignal[] = [];
  #dependents = new Map<string, number[]>();
  /** Steps by switch: a switch that depends on another is entered again and again. */
  #steps = new Map<string, readonly Step[]>();
  #reported = new Set<number>();
  #overlaps: Overlap[] = [];

  /**
   * Bounds for malicious files. `effort` is the number of bits checked in all messages;
   * `deepest` is the switch depth beyond which nothing is checked.
   */
  constructor(effort = 8_000_000, deepest = 64) {
    this.#effort = effort;
    this.#deepest = deepest;
  }

  /** After this, overlaps can remain undetected. */
  get isExhausted(): boolean {
    return this.#effort <= 0;
  }

  find({
    length,
    signals,
  }: Pick<Message, 'length'> & {
    readonly signals: readonly PlacedSignal[];
  }): readonly Overlap[] {
    if (signals.length < 2 || this.isExhausted) return [];
    this.#bits = length * 8;
    if (this.#claims.length < this.#bits) this.#claims = new Int32Array(this.#bits).fill(free);
    this.#signals = signals;
    // Most messages need none of these: files have thousands.
    if (this.#dependents.size > 0) this.#dependents = new Map();
    if (this.#steps.size > 0) this.#steps = new Map();
    if (this.#overlaps.length > 0) {
      this.#reported = new Set();
      this.#overlaps = [];
    }
    const always: number[] = [];
    signals.forEach(({ multiplexing }, index) => {
      if (multiplexing === null) always.push(index);
      else this.#addDependent(multiplexing.switch, index);
    });
    for (const index of always) this.#claim(index, null);
    for (const index of always) this.#claimDependents(index, null, 0);
    this.#claims.fill(free, 0, this.#bits);
    return this.#overlaps;
  }

  #addDependent(name: string, index: number): void {
    const known = this.#dependents.get(name);
    if (known === undefined) this.#dependents.set(name, [index]);
    else known.push(index);
  }

  /** Adds the claimed bits to a list; null for signals that are always present. */
  #claim(index: number, claimed: number[] | null): void {
    const signal = this.#signals[index];
    if (signal === undefined || this.isExhausted) return;
    for (let at = 0; at < signal.length; at += 1) {
      const bit = bitOf(signal, at);
      if (bit >= this.#bits) break;
      this.#effort -= 1;
      const other = this.#claims[bit] ?? free;
      if (other === free) {
        this.#claims[bit] = index;
        claimed?.push(bit);
      } else {
        this.#report(index, other);
        if (this.isExhausted) return;
      }
    }
  }

  #release(claimed: readonly number[]): void {
    this.#effort -= claimed.length;
    for (const bit of claimed) this.#claims[bit] = free;
  }

  /**
   * Adds and removes the dependents of a switch; afterwards their bits belong to the switch.
   */
  #claimDependents(switchIndex: number, claimed: number[] | null, depth: number): void {
    const name = this.#signals[switchIndex]?.name ?? '';
    const dependents = this.#dependents.get(name);
    if (dependents === undefined || depth > this.#deepest) return;
    // A second switch of the same name has no dependents.
    this.#dependents.delete(name);
    const present = new Map<number, { ranges: number; claimed: number[] }>();
    const owners = new Int32Array(this.#bits).fill(free);
    this.#effort -= this.#bits;
    for (const { signal, isEntry } of this.#stepsOf(name, dependents)) {
      if (this.isExhausted) break;
      this.#effort -= stepEffort;
      const entry = present.get(signal) ?? { ranges: 0, claimed: [] };
      entry.ranges += isEntry ? 1 : -1;
      present.set(signal, entry);
      if (isEntry && entry.ranges === 1) {
        this.#claim(signal, entry.claimed);
        this.#claimDependents(signal, entry.claimed, depth + 1);
        for (const bit of entry.claimed) owners[bit] = this.#claims[bit] ?? free;
      } else if (entry.ranges === 0) {
        this.#release(entry.claimed);
        entry.claimed = [];
      }
    }
    for (const { claimed: rest } of present.values()) this.#release(rest);
    owners.forEach((owner, bit) => {
      if (owner === free || this.#claims[bit] !== free) return;
      this.#claims[bit] = owner;
      claimed?.push(bit);
    });
    this.#dependents.set(name, dependents);
  }

  #stepsOf(name: string, dependents: readonly number[]): readonly Step[] {
    const known = this.#steps.get(name);
    if (known !== undefined) return known;
    const steps: Step[] = [];
    for (const signal of dependents) {
      for (const { from, to } of this.#signals[signal]?.multiplexing?.ranges ?? []) {
        this.#effort -= 2 * sortEffort;
        if (this.isExhausted) return [];
        steps.push({ value: from, isEntry: true, signal });
        steps.push({ value: to + 1n, isEntry: false, signal });
      }
    }
    steps.sort((a, b) => {
      if (a.value !== b.value) return a.value < b.value ? -1 : 1;
      return Number(a.isEntry) - Number(b.isEntry);
    });
    this.#steps.set(name, steps);
    return steps;
  }

  #report(signal: number, other: number): void {
    if (this.#reported.has(signal)) return;
    this.#reported.add(signal);
    this.#overlaps.push({ signal, other });
  }
}
