import type { PluginKind } from '../project/tables/plugins.ts';
import type { SignalType } from '../project/tables/signals.ts';
import { OutputCheck } from '../transforms/transform-program.ts';
import { Cells, lowerHalf, upperHalf } from '../values/cells.ts';
import type { Slots } from '../values/slots.ts';

/** Declarations of `plugin-sdk/busbar_plugin.h`, in the layout of 64-bit machines. */
export const abiVersion = 1;
export const abiFunction = 'busbar_plugin_abi';

export const kindNumbers: Readonly<Record<PluginKind, number>> = {
  transformation: 1,
  codec: 2,
  e2e: 3,
  processor: 4,
};

export const typeNumbers: Readonly<Record<SignalType, number>> = {
  bool: 1,
  int64: 2,
  uint64: 3,
  float64: 4,
  enum: 5,
};

export const anyType = 0;
export const any = 0xffff_ffff;

export const status = {
  ok: 0,
  failed: 1,
  invalid: 2,
  notAvailable: 3,
  someLost: 4,
  repeated: 5,
  wrongSequence: 6,
} as const;

export const maxItems = 16;
export const maxFrameBytes = 64;
export const maxStateBytes = 256;

export const valueLayout = { size: 16, type: 0, valid: 1, flags: 2 } as const;

/** A `busbar_item` among the items of a `busbar_round`. */
export const itemLayout = { size: 72, task: 0, length: 4, data: 8 } as const;

export const roundLayout = {
  size: 16 + maxItems * itemLayout.size,
  nowUs: 0,
  itemRoom: 8,
  itemCount: 12,
  items: 16,
} as const;

export const setupLayout = {
  size: 72,
  contextLength: 4,
  context: 8,
  inputs: 16,
  outputs: 20,
  inputTypes: 24,
  outputTypes: 32,
  taskLengths: 40,
  tasks: 48,
  bitLength: 52,
  frameLength: 56,
  messageSize: 60,
  message: 64,
} as const;

export const pluginMembers = {
  abi: 'uint32_t',
  size: 'uint32_t',
  kind: 'uint32_t',
  inputs: 'uint32_t',
  outputs: 'uint32_t',
  bitLength: 'uint32_t',
  stateSize: 'uint32_t',
  reserved: 'uint32_t',
  inputTypes: 'void *',
  outputTypes: 'void *',
  create: 'void *',
  destroy: 'void *',
  reset: 'void *',
  run: 'void *',
  decode: 'void *',
  encode: 'void *',
  protect: 'void *',
  check: 'void *',
  process: 'void *',
} as const;

export const pluginBytes = 120;

/** Arguments of plugin functions. Pointers are typed arrays or addresses. */
const pointer = 'void *';
export const signatures = {
  create: ['int32_t', [pointer, pointer]],
  destroy: ['void', [pointer]],
  reset: ['void', [pointer]],
  run: ['int32_t', [pointer, pointer, pointer]],
  decode: ['int32_t', [pointer, pointer, pointer]],
  encode: ['int32_t', [pointer, pointer, pointer]],
  protect: ['int32_t', [pointer, pointer, pointer, 'uint32_t']],
  check: ['int32_t', [pointer, pointer, pointer, 'uint32_t']],
  process: ['int32_t', [pointer, pointer, pointer, pointer]],
} as const;

/** `busbar_seed_key`: level, seed and its length, key and its length. */
export const seedKeyResult = 'int32_t';
export const seedKeyArguments = ['uint8_t', pointer, 'uint32_t', pointer, pointer] as const;
export const maxKeyBytes = 4096;

export type FunctionName = keyof typeof signatures;

export const neededFunctions: Readonly<Record<PluginKind, readonly FunctionName[]>> = {
  transformation: ['create', 'run'],
  codec: ['create', 'decode', 'encode'],
  e2e: ['create', 'protect', 'check'],
  processor: ['create', 'process'],
};

const wrap = 0x1_0000_0000;
const wordsOf = valueLayout.size / 4;
const firstWord = 2;

/**
 * An array of `busbar_value`:
 *
 *     | type, valid, flags, 5 bytes | value, 8 bytes | type, …
 */
export class ValueBlock {
  readonly bytes: Uint8Array;
  readonly #types: readonly SignalType[];
  readonly #checks: readonly OutputCheck[];
  readonly #cells: Cells;
  readonly #halves: Uint32Array;

  constructor(types: readonly SignalType[]) {
    // An array of length 0 has no address.
    const count = Math.max(1, types.length);
    const buffer = new SharedArrayBuffer(valueLayout.size * count);
    this.bytes = new Uint8Array(buffer);
    this.#types = types;
    this.#checks = types.map((type) => new OutputCheck(type));
    this.#cells = new Cells(buffer, 0, 2 * count);
    this.#halves = new Uint32Array(buffer);
    this.clear();
  }

  clear(): void {
    this.bytes.fill(0);
    for (let index = 0; index < this.#types.length; index++) this.#head(index, true, 0);
  }

  put(index: number, from: Slots, slot: number, isValid: boolean, flags: number): void {
    this.#head(index, isValid, flags);
    const cell = 2 * index + 1;
    const wide = from.wide[slot] as bigint | null;
    if (wide !== null) this.#cells.set(cell, wide);
    else if (this.#types[index] === 'float64')
      this.#cells.floats[cell] = from.numbers[slot] as number;
    else this.#cells.setWhole(cell, from.numbers[slot] as number);
  }

  isValid(index: number): boolean {
    return this.bytes[valueLayout.size * index + valueLayout.valid] === 1;
  }

  /** Only 0 and 1 are validity values. */
  isInvalid(index: number): boolean {
    return this.bytes[valueLayout.size * index + valueLayout.valid] === 0;
  }

  /** Copies a value. Returns false if it is out of range for its type. */
  take(index: number, to: Slots, slot: number): boolean {
    const type = this.#types[index] as SignalType;
    const at = valueLayout.size * index;
    const valid = this.bytes[at + valueLayout.valid] as number;
    if (this.bytes[at] !== typeNumbers[type] || valid > 1) return false;
    const check = this.#checks[index] as OutputCheck;
    if (type === 'float64') {
      to.numbers[slot] = this.#cells.floats[2 * index + 1] as number;
      return check.settleNumber(to, slot);
    }
    const word = wordsOf * index + firstWord;
    const low = this.#halves[word + lowerHalf] as number;
    const unsigned = this.#halves[word + upperHalf] as number;
    const isSigned = type === 'int64' || type === 'enum';
    const high = isSigned ? unsigned | 0 : unsigned;
    const value = high * wrap + low;
    if (!Number.isSafeInteger(value)) {
      return check.settleInteger(to, slot, BigInt(high) * BigInt(wrap) + BigInt(low));
    }
    to.numbers[slot] = value;
    return check.settleNumber(to, slot);
  }

  #head(index: number, isValid: boolean, flags: number): void {
    const { bytes } = this;
    const at = valueLayout.size * index;
    bytes[at + valueLayout.type] = typeNumbers[this.#types[index] as SignalType];
    bytes[at + valueLayout.valid] = isValid ? 1 : 0;
    bytes[at + valueLayout.flags] = flags;
  }
}
