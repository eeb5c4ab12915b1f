import type { SignalType } from '../project/tables/signals.ts';
import { PlainProgram } from '../transforms/transform-program.ts';
import { Slots } from '../values/slots.ts';
import { status } from './abi.ts';
import type { CallMarker, NativeInstance } from './native-instance.ts';
import type { NativeFunction } from './native-library.ts';
import { ValueBlock } from './value-block.ts';

/** A transformation of a plugin. Its outputs count together, or none of them does. */
export class NativeTransform extends PlainProgram {
  readonly #instance: NativeInstance;
  readonly #run: NativeFunction;
  readonly #marker: CallMarker;
  readonly #inputs: ValueBlock;
  readonly #outputs: ValueBlock;
  readonly #staged: Slots;
  readonly #inputCount: number;

  constructor(
    instance: NativeInstance,
    run: NativeFunction,
    marker: CallMarker,
    inputs: readonly SignalType[],
    outputs: readonly SignalType[],
  ) {
    super();
    this.#instance = instance;
    this.#run = run;
    this.#marker = marker;
    this.#inputs = new ValueBlock(inputs);
    this.#outputs = new ValueBlock(outputs);
    this.#staged = new Slots(outputs.length);
    this.#inputCount = inputs.length;
  }

  run(inputs: Slots, outputs: Slots): boolean {
    for (let index = 0; index < this.#inputCount; index++) {
      this.#inputs.put(index, inputs, index, true, 0);
    }
    this.#outputs.clear();
    this.#marker.enter();
    const outcome = this.#run(this.#instance.pointer, this.#inputs.bytes, this.#outputs.bytes);
    this.#marker.leave();
    if (outcome !== status.ok) return false;
    const staged = this.#staged;
    for (let index = 0; index < staged.count; index++) {
      if (!this.#outputs.isValid(index) || !this.#outputs.take(index, staged, index)) return false;
    }
    for (let index = 0; index < staged.count; index++) outputs.copyFrom(index, staged, index);
    return true;
  }

  override reset(): void {
    this.#instance.reset();
  }
}
