import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import { generateObserve, type Observe } from './generated/generate-observe.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import type { TakenValues } from './generated/taken-values.ts';
import type { InputBinding } from './input-binding.ts';
import type { InputCheck } from './input-check.ts';
import type { TaskStates } from './task-states.ts';

export interface InputMessageParts {
  readonly number: number;
  readonly length: number;
  readonly bindings: readonly InputBinding[];
  readonly check: InputCheck | null;
  readonly covered: readonly InputBinding[];
}

interface InputMessageContext {
  readonly states: TaskStates;
  readonly hot: HotParts;
  readonly taken: TakenValues;
}

export class InputMessage implements HotPart, HeapEntry {
  heapIndex = -1;
  /** Compiled after many frames. */
  quick: Observe | null = null;
  readonly length: number;
  readonly bindings: readonly InputBinding[];
  readonly #number: number;
  readonly #states: TaskStates;
  readonly #check: InputCheck | null;
  readonly #covered: readonly InputBinding[];
  readonly #others: readonly InputBinding[];
  readonly #runs: RunCounter;
  readonly #taken: TakenValues;

  constructor(
    { number, length, bindings, check, covered }: InputMessageParts,
    { states, hot, taken }: InputMessageContext,
  ) {
    this.#number = number;
    this.#states = states;
    this.#runs = hot.counterOf(this);
    this.#taken = taken;
    this.length = length;
    this.bindings = bindings;
    this.#check = check;
    this.#covered = covered;
    this.#others = bindings.filter((binding) => !covered.includes(binding));
  }

  /** When its check may change without a frame; Infinity for never. */
  get nextUs(): number {
    return this.#check === null ? Number.POSITIVE_INFINITY : this.#check.nextUs;
  }

  reset(): void {
    this.#check?.reset();
    this.#shareFailing();
    for (const binding of this.bindings) binding.reset();
  }

  /** Its endpoint is down. */
  disconnect(): void {
    this.silence();
    for (const binding of this.bindings) binding.disconnect();
  }

  /** No frames can arrive. Bindings stay. */
  silence(): void {
    this.#check?.silence();
    this.#shareFailing();
  }

  /** Updates its check. */
  age(): void {
    this.#check?.age();
    if (this.#check?.hasTurned) this.#turn();
  }

  generate(): void {
    // A check is between frame and bindings.
    if (this.#check === null) this.quick = generateObserve(this.bindings, this.#taken);
  }

  /** Decodes a frame that is long enough. Returns whether its check passed. */
  observe(bytes: Uint8Array, at: number): boolean {
    const check = this.#check;
    this.#runs.count();
    if (check === null) {
      this.#spread(this.bindings, bytes, at);
      return true;
    }
    const isGood = check.accepts(bytes, at);
    this.#spread(isGood ? this.bindings : this.#others, bytes, at);
    // The check also covers bindings of other pages.
    if (!isGood || check.hasTurned) this.#turn();
    return isGood;
  }

  #turn(): void {
    this.#shareFailing();
    for (const binding of this.#covered) binding.distrust();
  }

  #shareFailing(): void {
    if (this.#check !== null) this.#states.setFailedCheck(this.#number, this.#check.isFailing);
  }

  #spread(bindings: readonly InputBinding[], bytes: Uint8Array, at: number): void {
    for (let index = 0; index < bindings.length; index++) {
      (bindings[index] as InputBinding).observe(bytes, at);
    }
  }
}
