import { type CheckResult, LastFrameState } from '../../e2e/check-state.ts';
import type { FrameChecker, FrameProtector } from '../../e2e/protection.ts';
import type {
  NativeCodecParts,
  NativeParts,
  ProcessorProgram,
  ProcessorShape,
} from '../engine/native-parts.ts';
import { emptyShape, type PluginShape } from '../image/plugin-uses.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { PlainProgram, type TransformProgram } from '../transforms/transform-program.ts';
import { Slots } from '../values/slots.ts';
import {
  type FunctionName,
  itemLayout,
  maxFrameBytes,
  maxItems,
  roundLayout,
  status,
  ValueBlock,
} from './abi.ts';
import { NativeCodec } from './native-codec.ts';
import {
  bitsOf,
  type CallMarker,
  checkShape,
  functionOf,
  NativeInstance,
} from './native-instance.ts';
import {
  type Ffi,
  type NativeFunction,
  type NativePlugin,
  pluginFailed,
} from './native-library.ts';

interface ProtectionCalls {
  readonly instance: NativeInstance;
  readonly marker: CallMarker;
  readonly stateSize: number;
  readonly length: number;
}

const stateOf = (size: number): Uint8Array => new Uint8Array(Math.max(1, size));

/** Copies each frame, so that a plugin writes only to its own memory. */
const copy = (from: Uint8Array, at: number, to: Uint8Array, toAt: number, length: number): void => {
  for (let index = 0; index < length; index++) to[toAt + index] = from[at + index] as number;
};

/** Protects frames with a plugin. Its fields are unknown, so faults cannot be injected. */
class NativeProtector implements FrameProtector {
  readonly #calls: ProtectionCalls;
  readonly #protect: NativeFunction;
  readonly #state: Uint8Array;
  readonly #following: Uint8Array;
  readonly #frame: Uint8Array;
  #isBuilt = false;

  constructor(calls: ProtectionCalls, protect: NativeFunction) {
    this.#calls = calls;
    this.#protect = protect;
    this.#state = stateOf(calls.stateSize);
    this.#following = stateOf(calls.stateSize);
    this.#frame = stateOf(calls.length);
  }

  protect(bytes: Uint8Array, at: number): boolean {
    const { instance, marker, length } = this.#calls;
    copy(this.#state, 0, this.#following, 0, this.#state.length);
    copy(bytes, at, this.#frame, 0, length);
    marker.enter();
    const outcome = this.#protect(instance.pointer, this.#following, this.#frame, length);
    marker.leave();
    this.#isBuilt = outcome === status.ok;
    if (this.#isBuilt) copy(this.#frame, 0, bytes, at, length);
    return this.#isBuilt;
  }

  commit(): void {
    if (this.#isBuilt) copy(this.#following, 0, this.#state, 0, this.#state.length);
    this.#isBuilt = false;
  }

  discard(): void {
    this.#isBuilt = false;
  }

  bypass(): void {
    this.#isBuilt = false;
  }
}

const results: Readonly<Partial<Record<number, CheckResult>>> = {
  [status.ok]: 'ok',
  [status.someLost]: 'ok_some_lost',
  [status.repeated]: 'repeated',
  [status.wrongSequence]: 'wrong_sequence',
};

/** Checks frames with a plugin. A failed call leaves its state unchanged. */
class NativeChecker implements FrameChecker {
  readonly #calls: ProtectionCalls;
  readonly #check: NativeFunction;
  readonly #state: Uint8Array;
  readonly #following: Uint8Array;
  readonly #frame: Uint8Array;
  readonly #validity = new LastFrameState();

  constructor(calls: ProtectionCalls, check: NativeFunction) {
    this.#calls = calls;
    this.#check = check;
    this.#state = stateOf(calls.stateSize);
    this.#following = stateOf(calls.stateSize);
    this.#frame = stateOf(calls.length);
  }

  get isValid(): boolean {
    return this.#validity.isValid;
  }

  check(bytes: Uint8Array, at: number): CheckResult {
    const { instance, marker, length } = this.#calls;
    copy(this.#state, 0, this.#following, 0, this.#state.length);
    copy(bytes, at, this.#frame, 0, length);
    marker.enter();
    const outcome = this.#check(instance.pointer, this.#following, this.#frame, length);
    marker.leave();
    const result = results[outcome] ?? 'error';
    if (result !== 'error') copy(this.#following, 0, this.#state, 0, this.#state.length);
    this.#validity.add(result);
    return result;
  }

  reset(): void {
    this.#state.fill(0);
    this.#validity.reset();
    this.#calls.instance.reset();
  }
}

const wrap = 0x1_0000_0000;

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
    this.#items = Array.from({ length: maxItems }, (_, index) => {
      const at = roundLayout.items + index * itemLayout.size + itemLayout.data;
      return this.#round.subarray(at, at + maxFrameBytes);
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
      if (this.#staged.isInvalid(index)) continue;
      if (!this.#staged.take(index, outputs, index)) return false;
    }
    return true;
  }

  #wordOf(index: number, member: number): number {
    return this.#words[(roundLayout.items + index * itemLayout.size + member) / 4] as number;
  }
}

/** A transformation of a plugin. Its outputs are all valid or all invalid. */
class NativeTransform extends PlainProgram {
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

export interface LoadedPlugin {
  readonly plugin: NativePlugin;
  readonly context: string;
  readonly marker: CallMarker;
}

export class InstancePlugins implements NativeParts {
  readonly #ffi: Ffi;
  readonly #plugins: ReadonlyMap<string, LoadedPlugin>;
  readonly #instances: NativeInstance[] = [];
  readonly #codecs = new Map<string, NativeCodec>();

  constructor(ffi: Ffi, plugins: ReadonlyMap<string, LoadedPlugin>) {
    this.#ffi = ffi;
    this.#plugins = plugins;
  }

  transform(
    id: string,
    inputs: readonly SignalType[],
    outputs: readonly SignalType[],
  ): TransformProgram {
    const { instance, marker, native } = this.#create(
      id,
      { ...emptyShape, inputs, outputs },
      'run',
    );
    return new NativeTransform(instance, native, marker, inputs, outputs);
  }

  codec(id: string, wanted: number | undefined): NativeCodecParts {
    const { plugin } = this.#loaded(id);
    const bits = bitsOf(plugin, wanted ?? 0);
    const known = this.#codecs.get(`${id} ${bits}`);
    if (known) return known;
    const shape = { ...emptyShape, bitLength: bits };
    const { instance, marker, native: decode } = this.#create(id, shape, 'decode');
    const encode = functionOf(plugin, 'encode');
    const codec = new NativeCodec({ instance, marker, decode, encode }, bits);
    this.#codecs.set(`${id} ${bits}`, codec);
    return codec;
  }

  protector(id: string, length: number): FrameProtector {
    const made = this.#create(id, { ...emptyShape, frameLength: length }, 'protect');
    return new NativeProtector({ ...made, length }, made.native);
  }

  checker(id: string, length: number): FrameChecker {
    const made = this.#create(id, { ...emptyShape, frameLength: length }, 'check');
    return new NativeChecker({ ...made, length }, made.native);
  }

  processor(id: string, shape: ProcessorShape): ProcessorProgram {
    const made = this.#create(id, { ...emptyShape, ...shape }, 'process');
    return new NativeProcessor(made.instance, made.native, made.marker, shape);
  }

  /** Resets the state of codecs. The engine resets everything else. */
  resetCodecs(): void {
    for (const codec of this.#codecs.values()) codec.reset();
  }

  destroy(): void {
    for (const instance of this.#instances) instance.destroy();
    this.#instances.length = 0;
  }

  #create(id: string, shape: PluginShape, name: FunctionName) {
    const { plugin, context, marker } = this.#loaded(id);
    checkShape(plugin, shape);
    const instance = new NativeInstance(this.#ffi, plugin, shape, context, marker);
    this.#instances.push(instance);
    const { stateSize } = plugin;
    return { instance, marker, stateSize, native: functionOf(plugin, name) };
  }

  #loaded(id: string): LoadedPlugin {
    const loaded = this.#plugins.get(id);
    if (!loaded) throw pluginFailed(id, 'unavailable', 'is not loaded');
    return loaded;
  }
}
