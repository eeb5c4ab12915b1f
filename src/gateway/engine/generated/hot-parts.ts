import type { RoundTime } from '../round-time.ts';

/** A part of an engine that a function of its own can take the place of. */
export interface HotPart {
  generate(): void;
}

/**
 * So many runs in so short a time make a part hot. V8 takes some hundred milliseconds of a core to optimise the
 * function of a large message: what is seldom run is not worth it.
 */
export const defaultRunsUntilHot = 1000;
const hotWithinUs = 2_000_000;

/** Functions of one engine: each has some kilobytes of code. */
const mostParts = 4096;

/** How often a part is run. */
export class RunCounter {
  readonly #part: HotPart;
  readonly #parts: HotParts;
  readonly #time: RoundTime;
  #runs = 0;
  #sinceUs = 0.5;

  constructor(part: HotPart, parts: HotParts, time: RoundTime) {
    this.#part = part;
    this.#parts = parts;
    this.#time = time;
  }

  count(): void {
    this.#runs += 1;
    if (this.#runs === 1) this.#sinceUs = this.#time.nowUs;
    else if (this.#runs === this.#parts.runsUntilHot) this.#judge();
  }

  #judge(): void {
    if (this.#time.nowUs - this.#sinceUs <= hotWithinUs) this.#parts.add(this.#part);
    else this.#runs = 0;
  }
}

/** Parts that are run often, and wait for a function of their own. Generating one takes a fraction of a millisecond. */
export class HotParts {
  readonly runsUntilHot: number;
  readonly #time: RoundTime;
  readonly #waiting: HotPart[] = [];
  #count = 0;

  constructor(runsUntilHot: number, time: RoundTime) {
    this.runsUntilHot = runsUntilHot;
    this.#time = time;
  }

  counterOf(part: HotPart): RunCounter {
    return new RunCounter(part, this, this.#time);
  }

  add(part: HotPart): void {
    this.#count += 1;
    if (this.#count <= mostParts) this.#waiting.push(part);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Generates the function of one of them. */
  generateNext(): void {
    this.#waiting.pop()?.generate();
  }
}
