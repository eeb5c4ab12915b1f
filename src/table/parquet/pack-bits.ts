import {
  add,
  and,
  get,
  i32,
  isBelow,
  loadI32,
  longOf,
  orI64,
  repeat,
  set,
  shiftLeft,
  shiftLeftI64,
  shiftRight,
  shiftRightI64,
  storeI64,
  subtract,
} from '../wasm/instructions.ts';
import { compileFunction, newWasmMemory } from '../wasm/wasm-module.ts';

/** Values that are packed at a time; a multiple of eight. */
export const maxPacked = 8192;

const packedAt = maxPacked * 4;
/** Three bytes for each value, and those written after the last one. */
const memoryBytes = packedAt + maxPacked * 3 + 8;

const [count, width, from, to, bits, held] = [0, 1, 2, 3, 4, 5];

/** Bits wait in `held` until they are complete bytes. */
const packOne = [
  ...set(held, orI64(get(held), shiftLeftI64(longOf(loadI32(get(from))), longOf(get(bits))))),
  ...set(bits, add(get(bits), get(width))),
  ...storeI64(get(to), get(held)),
  ...set(to, add(get(to), shiftRight(get(bits), i32(3)))),
  ...set(held, shiftRightI64(get(held), longOf(and(get(bits), i32(~7))))),
  ...set(bits, and(get(bits), i32(7))),
  ...set(from, add(get(from), i32(4))),
];

type Pack = (count: number, width: number) => number;

const packIn = compileFunction<Pack>({
  parameters: 2,
  integers: 3,
  longs: 1,
  body: [
    ...set(to, i32(packedAt)),
    ...repeat(packOne, isBelow(get(from), shiftLeft(get(count), i32(2)))),
    ...subtract(get(to), i32(packedAt)),
  ],
});

export interface Packer {
  readonly source: Uint32Array;
  readonly packed: Uint8Array;
  /** Packs a multiple of eight values of at most 24 bits; returns how many bytes they take. */
  readonly pack: Pack;
}

let shared: Packer | undefined;

export const packer = (): Packer => {
  if (shared) return shared;
  const memory = newWasmMemory(memoryBytes);
  shared = {
    source: new Uint32Array(memory.buffer, 0, maxPacked),
    packed: new Uint8Array(memory.buffer, packedAt),
    pack: packIn(memory),
  };
  return shared;
};
