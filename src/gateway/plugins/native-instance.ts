import type { PluginShape } from '../image/plugin-uses.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { anyType, type FunctionName, setupLayout, status, typeNumbers } from './abi.ts';
import {
  type Ffi,
  type NativeFunction,
  type NativePlugin,
  pluginFailed,
} from './native-library.ts';

/** Marks each plugin call, so that a call that does not return can be named. */
export interface CallMarker {
  enter(): void;
  leave(): void;
}

const messageBytes = 512;

const numbersOf = (types: readonly SignalType[]): Uint8Array =>
  // An array of length 0 has no address.
  Uint8Array.from([...types.map((type) => typeNumbers[type]), 0]);

const checkSignals = (
  { id }: NativePlugin,
  what: 'inputs' | 'outputs',
  wanted: number | undefined,
  types: Uint8Array | null,
  given: readonly SignalType[],
): void => {
  if (wanted !== undefined && wanted !== given.length) {
    throw pluginFailed(id, 'wrong_shape', `has ${wanted} ${what}, not ${given.length}`);
  }
  const place = given.findIndex((type, index) => {
    const number = types?.[index] ?? anyType;
    return number !== anyType && number !== typeNumbers[type];
  });
  if (place < 0) return;
  const type = Object.entries(typeNumbers).find(([, number]) => number === types?.[place])?.[0];
  const words = `needs ${type ?? 'an unknown type'} at ${what}[${place}], not ${given[place]}`;
  throw pluginFailed(id, 'wrong_shape', words);
};

export const checkShape = (plugin: NativePlugin, shape: PluginShape): void => {
  checkSignals(plugin, 'inputs', plugin.inputs, plugin.inputTypes, shape.inputs);
  checkSignals(plugin, 'outputs', plugin.outputs, plugin.outputTypes, shape.outputs);
};

/** Returns the bits of a codec, on which project and plugin must agree. */
export const bitsOf = ({ id, bitLength }: NativePlugin, wanted: number): number => {
  const bits = wanted === 0 ? bitLength : wanted;
  if (bits === undefined || bits === 0) {
    throw pluginFailed(id, 'wrong_shape', 'leaves the number of bits to the codec: set bit_length');
  }
  if (bitLength !== undefined && bitLength !== bits) {
    throw pluginFailed(id, 'wrong_shape', `has ${bitLength} bits, not ${bits}`);
  }
  return bits;
};

export class NativeInstance {
  readonly id: string;
  readonly pointer: bigint;
  readonly #marker: CallMarker;
  readonly #reset: NativeFunction | undefined;
  readonly #destroy: NativeFunction | undefined;
  #isAlive = true;

  constructor(
    ffi: Ffi,
    plugin: NativePlugin,
    shape: PluginShape,
    context: string,
    marker: CallMarker,
  ) {
    this.id = plugin.id;
    this.#marker = marker;
    this.#reset = plugin.functions.reset;
    this.#destroy = plugin.functions.destroy;
    this.pointer = this.#create(ffi, plugin, shape, context);
  }

  reset(): void {
    this.#call(this.#reset);
  }

  destroy(): void {
    if (this.#isAlive) this.#call(this.#destroy);
    this.#isAlive = false;
  }

  #call(native: NativeFunction | undefined): void {
    if (!native) return;
    this.#marker.enter();
    native(this.pointer);
    this.#marker.leave();
  }

  #create(ffi: Ffi, plugin: NativePlugin, shape: PluginShape, context: string): bigint {
    const text = Buffer.from(`${context}\0`);
    const inputs = numbersOf(shape.inputs);
    const outputs = numbersOf(shape.outputs);
    const lengths = Uint32Array.from([...shape.taskLengths, 0]);
    const message = Buffer.alloc(messageBytes);
    const setup = new DataView(new ArrayBuffer(setupLayout.size));
    const put = (at: number, value: number): void => setup.setUint32(at, value, true);
    const point = (at: number, to: Uint8Array | Uint32Array): void =>
      setup.setBigUint64(at, BigInt(ffi.address(to)), true);
    put(0, setupLayout.size);
    put(setupLayout.contextLength, text.length - 1);
    point(setupLayout.context, text);
    put(setupLayout.inputs, shape.inputs.length);
    put(setupLayout.outputs, shape.outputs.length);
    point(setupLayout.inputTypes, inputs);
    point(setupLayout.outputTypes, outputs);
    point(setupLayout.taskLengths, lengths);
    put(setupLayout.tasks, shape.taskLengths.length);
    put(setupLayout.bitLength, shape.bitLength);
    put(setupLayout.frameLength, shape.frameLength);
    put(setupLayout.messageSize, messageBytes);
    point(setupLayout.message, message);
    const made = new BigUint64Array(1);
    this.#marker.enter();
    const outcome = plugin.functions.create?.(new Uint8Array(setup.buffer), made);
    this.#marker.leave();
    if (outcome === status.ok) return made[0] as bigint;
    const end = message.indexOf(0);
    const words = message
      .toString('utf8', 0, end < 0 ? messageBytes : end)
      .replace(/[\0-\x1f]/g, ' ');
    throw pluginFailed(plugin.id, 'create_failed', words || `could not be created (${outcome})`);
  }
}

export const functionOf = (plugin: NativePlugin, name: FunctionName): NativeFunction => {
  const native = plugin.functions[name];
  if (!native) throw pluginFailed(plugin.id, 'missing_function', `has no function ${name}`);
  return native;
};
