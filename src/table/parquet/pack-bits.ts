import {
  add,
  and,
  type Code,
  get,
  i32,
  longOf,
  orI64,
  set,
  shiftLeftI64,
  shiftRight,
  shiftRightI64,
  storeI64,
} from '../wasm/instructions.ts';

/** Locals of a function that packs values; `bits` and `held` are 0 before the first one. */
export interface PackLocals {
  readonly width: number;
  readonly to: number;
  readonly bits: number;
  readonly held: number;
}

/** Packs a value of 64 bits of which `width` are used, at most 56: bits wait for complete bytes. */
export const packValue = ({ width, to, bits, held }: PackLocals, value: Code): Code => [
  ...set(held, orI64(get(held), shiftLeftI64(value, longOf(get(bits))))),
  ...set(bits, add(get(bits), get(width))),
  ...storeI64(get(to), get(held)),
  ...set(to, add(get(to), shiftRight(get(bits), i32(3)))),
  ...set(held, shiftRightI64(get(held), longOf(and(get(bits), i32(~7))))),
  ...set(bits, and(get(bits), i32(7))),
];
