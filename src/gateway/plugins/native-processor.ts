import type { ProcessorProgram, ProcessorShape } from '../engine/native-parts.ts';
import { Slots } from '../values/slots.ts';
import { itemLayout, mostFrameBytes, mostItems, roundLayout, status } from './abi.ts';
import type { CallMarker, NativeInstance } from './native-instance.ts';
import type { NativeFunction } from './native-library.ts';
import { ValueBlock } from './value-block.ts';

const wrap = 0x1_0000_0000;

/** A processor of a plugin. */
export class NativeProcessor implements ProcessorProgram {
  readonly outputs: Slots;
  readonly #instance: NativeInstance;
  readonly #process: NativeFunction;
  readonly #marker: CallMarker;
  readonly #inputs: ValueBlock;
  readonly #staged: ValueBlock;
  readonly #round = new Uint8Array(roundLayout.size);
  readonly #words: Uint32Array;
  readonly #items: readonly Uint8Array[];

  constructor(
    instance: NativeInstance,
    process: NativeFunction,
    marker: CallMarker,
    { inputs, outputs }: ProcessorShape,
  ) {
    this.#instance = instance;
    this.#process = process;
    this.#marker = marker;
    this.#inputs = new ValueBlock(inputs);
    this.#staged = new ValueBlock(outputs);
    this.outputs = new Slots(outputs.length);
    this.#words = new Uint32Array(this.#round.buffer);
    this.#items = Array.from({ length: mostItems }, (_, index) => {
      const at = roundLayout.items + index * itemLayout.size + itemLayout.data;
      return this.#round.subarray(at, at + mostFrameBytes);
    });
  }

  putInput(index: number, from: Slots, slot: number, isValid: boolean, flags: number): void {
    this.#inputs.put(index, from, slot, isValid, flags);
  }

  putOutput(index: number, from: Slots, slot: number, isValid: boolean): void {
    this.#staged.put(index, from, slot, isValid, 0);
  }

  run(nowUs: number, itemRoom: number): boolean {
    const words = this.#words;
    this.#round.fill(0);
    const now = Math.floor(nowUs);
    words[roundLayout.nowUs / 4] = now % wrap;
    words[roundLayout.nowUs / 4 + 1] = Math.floor(now / wrap);
    words[roundLayout.itemRoom / 4] = itemRoom;
    this.#marker.enter();
    const outcome = this.#process(
      this.#instance.pointer,
      this.#round,
      this.#inputs.bytes,
      this.#staged.bytes,
    );
    this.#marker.leave();
    return outcome === status.ok && this.#takeOutputs();
  }

  isOutputValid(index: number): boolean {
    return this.#staged.isValid(index);
  }

  get itemCount(): number {
    return this.#words[roundLayout.itemCount / 4] as number;
  }

  itemTask(index: number): number {
    return this.#wordOf(index, itemLayout.task);
  }

  itemLength(index: number): number {
    return this.#wordOf(index, itemLayout.length);
  }

  itemBytes(index: number): Uint8Array {
    return this.#items[index] as Uint8Array;
  }

  reset(): void {
    this.#instance.reset();
  }

  #takeOutputs(): boolean {
    const { outputs } = this;
    for (let index = 0; index < outputs.count; index++) {
      // What is not valid has no value to look at.
      if (this.#staged.isInvalid(index)) continue;
      if (!this.#staged.take(index, outputs, index)) return false;
    }
    return true;
  }

  #wordOf(index: number, member: number): number {
    return this.#words[(roundLayout.items + index * itemLayout.size + member) / 4] as number;
  }
}
