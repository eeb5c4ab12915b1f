/** A part of an engine that a function of its own can take the place of. */
export interface HotPart {
  generate(): void;
}

/** Runs after which a part gets a function of its own: what is seldom run is not worth the time to compile it. */
export const usualRunsUntilHot = 1000;

/** Functions of one engine: each has some kilobytes of code. */
const mostParts = 4096;

/** Parts that are run often, and wait for a function of their own. Generating one takes a fraction of a millisecond. */
export class HotParts {
  readonly runsUntilHot: number;
  readonly #waiting: HotPart[] = [];
  #count = 0;

  constructor(runsUntilHot: number) {
    this.runsUntilHot = runsUntilHot;
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
