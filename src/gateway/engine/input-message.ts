import { generateObserve, type Observe } from './generated/generate-observe.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import type { TakenValues } from './generated/taken-values.ts';
import type { InputBinding } from './input-binding.ts';
import type { InputCheck } from './input-check.ts';

export interface InputMessageParts {
  readonly length: number;
  readonly bindings: readonly InputBinding[];
  readonly check: InputCheck | null;
  /** Bindings that the check covers. */
  readonly covered: readonly InputBinding[];
}

/** A message that is received. */
export class InputMessage implements HotPart {
  /** Takes frames that have bytes enough once many have come; null until then. */
  quick: Observe | null = null;
  readonly length: number;
  readonly bindings: readonly InputBinding[];
  readonly #check: InputCheck | null;
  readonly #covered: readonly InputBinding[];
  readonly #others: readonly InputBinding[];
  readonly #runs: RunCounter;
  readonly #taken: TakenValues;

  constructor(
    { length, bindings, check, covered }: InputMessageParts,
    hot: HotParts,
    taken: TakenValues,
  ) {
    this.#runs = hot.counterOf(this);
    this.#taken = taken;
    this.length = length;
    this.bindings = bindings;
    this.#check = check;
    this.#covered = covered;
    this.#others = bindings.filter((binding) => !covered.includes(binding));
  }

  reset(): void {
    this.#check?.reset();
    for (const binding of this.bindings) binding.reset();
  }

  generate(): void {
    // A check comes between the frame and its bindings.
    if (this.#check === null) this.quick = generateObserve(this.bindings, this.#taken);
  }

  /** Takes a frame that has bytes enough. Answers whether its check, if any, was passed. */
  observe(bytes: Uint8Array, at: number): boolean {
    const check = this.#check;
    this.#runs.count();
    if (check === null) {
      this.#spread(this.bindings, bytes, at);
      return true;
    }
    const isGood = check.accepts(bytes, at);
    this.#spread(isGood ? this.bindings : this.#others, bytes, at);
    // Also what is not in this frame, on another page, is covered by the check.
    if (!isGood || check.hasTurned) for (const binding of this.#covered) binding.distrust();
    return isGood;
  }

  #spread(bindings: readonly InputBinding[], bytes: Uint8Array, at: number): void {
    for (let index = 0; index < bindings.length; index++) {
      (bindings[index] as InputBinding).observe(bytes, at);
    }
  }
}
