import type { FrameChecker, FrameProtector } from '../e2e/frame-protection.ts';
import type {
  NativeCodecParts,
  NativeParts,
  ProcessorProgram,
  ProcessorShape,
} from '../engine/native-parts.ts';
import { emptyShape, type PluginShape } from '../plan/plugin-plan.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { TransformProgram } from '../transforms/transform-program.ts';
import type { FunctionName } from './abi.ts';
import { NativeCodec } from './native-codec.ts';
import {
  bitsOf,
  type CallMarker,
  checkShape,
  functionOf,
  NativeInstance,
} from './native-instance.ts';
import type { Ffi, NativePlugin } from './native-library.ts';
import { NativeProcessor } from './native-processor.ts';
import { NativeChecker, NativeProtector } from './native-protection.ts';
import { NativeTransform } from './native-transform.ts';
import { pluginFailed } from './plugin-failure.ts';

/** A plugin of a project whose library is loaded. */
export interface LoadedPlugin {
  readonly plugin: NativePlugin;
  /** Settings as JSON. */
  readonly context: string;
  readonly marker: CallMarker;
}

/** The plugins of one instance of a project, and all that was created of them. */
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

  /** Codecs forget what they remember; everything else is reset by the engine. */
  resetCodecs(): void {
    for (const codec of this.#codecs.values()) codec.reset();
  }

  /** Ends all that was created: the engine is not run any more. */
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
