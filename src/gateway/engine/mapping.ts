import type { HeapEntry } from '../../base/schedule/deadline-heap.ts';
import type { TransformProgram } from '../transforms/transform-program.ts';
import type { Quality } from '../values/quality.ts';
import { Slots } from '../values/slots.ts';
import {
  type Evaluate,
  generateEvaluate,
  type LineMapping,
} from './generated/generate-evaluate.ts';
import type { HotPart, HotParts, RunCounter } from './generated/hot-parts.ts';
import type { ValueStoreEmitter } from './generated/value-store-emitter.ts';
import type { RoundTime } from './round-time.ts';
import type { SignalStates } from './signal-states.ts';

export interface MappingParts {
  readonly number: number;
  readonly program: TransformProgram;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly maxSkewUs: number;
  readonly ttlUs: number;
  readonly line: LineMapping | null;
}

export interface MappingContext {
  readonly signals: SignalStates;
  readonly time: RoundTime;
  readonly hot: HotParts;
  readonly stores: ValueStoreEmitter;
}

const keepTime = Number.NaN;

export class Mapping implements HeapEntry, HotPart {
  heapIndex = -1;
  readonly number: number;
  /** When its inputs become stale; Infinity for never. */
  expiresAtUs = Number.POSITIVE_INFINITY;
  readonly #program: TransformProgram;
  readonly #inputs: readonly number[];
  readonly #outputs: readonly number[];
  readonly #maxSkewUs: number;
  readonly #ttlUs: number;
  readonly #states: SignalStates;
  readonly #time: RoundTime;
  readonly #in: Slots;
  readonly #out: Slots;
  readonly #line: LineMapping | null;
  readonly #runs: RunCounter;
  readonly #stores: ValueStoreEmitter;
  #quick: Evaluate | null = null;
  /** NaN if all inputs are constant. */
  #earliestUs = Number.NaN;
  #latestUs = Number.NaN;

  constructor(parts: MappingParts, { signals, time, hot, stores }: MappingContext) {
    this.#time = time;
    this.#line = parts.line;
    this.#runs = hot.counterOf(this);
    this.#stores = stores;
    this.number = parts.number;
    this.#program = parts.program;
    this.#inputs = parts.inputs;
    this.#outputs = parts.outputs;
    this.#maxSkewUs = parts.maxSkewUs;
    this.#ttlUs = parts.ttlUs;
    this.#states = signals;
    this.#in = new Slots(parts.inputs.length);
    this.#out = new Slots(parts.outputs.length);
  }

  get outputs(): readonly number[] {
    return this.#outputs;
  }

  reset(): void {
    this.#program.reset();
    this.expiresAtUs = Number.POSITIVE_INFINITY;
  }

  generate(): void {
    if (this.#line !== null) this.#quick = generateEvaluate(this, this.#line, this.#stores);
  }

  evaluate(): void {
    const quick = this.#quick;
    if (quick !== null) {
      quick();
      return;
    }
    this.#runs.count();
    this.evaluateSlow();
  }

  evaluateSlow(): void {
    this.expiresAtUs = Number.POSITIVE_INFINITY;
    const fault = this.#fault();
    this.#time.observedUs = fault === null ? this.#earliestUs : keepTime;
    const outputs = this.#outputs;
    for (let index = 0; index < outputs.length; index++) {
      const output = outputs[index] as number;
      if (fault === null) this.#states.setGood(output, this.#out, index);
      else this.#states.setQuality(output, fault);
    }
  }

  #fault(): Quality | null {
    if (!this.#collect()) return 'input_invalid';
    if (this.#latestUs - this.#earliestUs > this.#maxSkewUs) return 'skew';
    if (this.#time.nowUs - this.#earliestUs > this.#ttlUs) return 'expired';
    // One microsecond after the last one in which the result is valid.
    if (!Number.isNaN(this.#earliestUs)) this.expiresAtUs = this.#earliestUs + this.#ttlUs + 1;
    return this.#program.run(this.#in, this.#out) ? null : 'transform_error';
  }

  #collect(): boolean {
    this.#earliestUs = Number.NaN;
    this.#latestUs = Number.NaN;
    const inputs = this.#inputs;
    if (!this.#add(0)) return false;
    const chosen = this.#program.chosen(this.#in);
    if (chosen > 0) return this.#add(chosen);
    for (let index = 1; index < inputs.length; index++) if (!this.#add(index)) return false;
    return true;
  }

  #add(index: number): boolean {
    const signal = this.#inputs[index] as number;
    const states = this.#states;
    if (!states.isValid(signal)) return false;
    this.#in.copyFrom(index, states.values, signal);
    if (!states.isDynamic(signal)) return true;
    const observedUs = states.observedUs[signal] as number;
    if (!(observedUs >= this.#earliestUs)) this.#earliestUs = observedUs;
    if (!(observedUs <= this.#latestUs)) this.#latestUs = observedUs;
    return true;
  }
}
