import type { RoundTime } from '../signal-states.ts';

export interface HotPart {
  generate(): void;
}

/**
 * Number of runs that make a part hot. V8 takes hundreds of milliseconds to optimize a large
 * message, which does not pay off for rare ones.
 */
export const defaultRunsUntilHot = 1000;
const hotWithinUs = 2_000_000;

/** Maximum compiled functions of an engine. Each needs some kilobytes of code. */
const maxParts = 4096;

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
    else if (this.#runs === this.#parts.runsUntilHot) this.#setQuality();
  }

  #setQuality(): void {
    if (this.#time.nowUs - this.#sinceUs <= hotWithinUs) this.#parts.add(this.#part);
    else this.#runs = 0;
  }
}

/** Hot parts waiting to be compiled. Each takes a fraction of a millisecond. */
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
    if (this.#count <= maxParts) this.#waiting.push(part);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  generateNext(): void {
    this.#waiting.pop()?.generate();
  }
}
