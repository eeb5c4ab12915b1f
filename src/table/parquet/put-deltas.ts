import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import {
  add,
  and,
  type Code,
  choose,
  get,
  i32,
  isAbove,
  isBelow,
  isBelowI64,
  isZero,
  isZeroI64,
  leastF64,
  loadByte,
  loadF64,
  loadI64,
  longOf,
  lowOf,
  mostF64,
  or,
  orI64,
  repeat,
  set,
  shiftLeft,
  shiftLeftI64,
  shiftRightI64,
  shiftSignedRightI64,
  storeByte,
  storeF64,
  storeI64,
  subtract,
  subtractF64,
  subtractI64,
  truncateToI64,
  when,
  xorI64,
  zeroBitsI64,
} from '../wasm/instructions.ts';
import { compileFunction, newWasmMemory } from '../wasm/wasm-module.ts';
import { packValue } from './pack-bits.ts';
import { putVarint, putZigzag } from './thrift.ts';

const blockValues = 128;
const miniblocks = 4;
const miniblockValues = blockValues / miniblocks;
const doubleBytes = 8;
/** Values that are written at a time. */
const maxValues = 64 * blockValues;

/** Memory: least and greatest value, deltas of a block, the value before the next ones, these, blocks. */
const leastAt = 0;
const mostAt = 8;
const deltasAt = 64;
const deltasEnd = deltasAt + blockValues * doubleBytes;
const valuesAt = deltasEnd;
const blocksAt = valuesAt + (1 + maxValues) * doubleBytes;
/** Zigzag and widths of each block, deltas, and those written after the last one. */
const memoryBytes = blocksAt + (maxValues / blockValues) * 16 + maxValues * doubleBytes + 64;

const [until, from, to, at, end, widths, width, bits] = [0, 1, 2, 3, 4, 5, 6, 7];
const [delta, least, rest, held] = [8, 9, 10, 11];
const [lowest, highest, value] = [12, 13, 14];

const step = (local: number, bytes: number): Code => set(local, add(get(local), i32(bytes)));
const long = (value: number): Code => longOf(i32(value));
const maxLong = shiftRightI64(subtractI64(long(0), long(1)), long(1));

const readDeltas: Code = [
  ...set(at, i32(deltasAt)),
  ...set(least, maxLong),
  ...repeat(
    [
      ...set(value, loadF64(get(from), doubleBytes)),
      ...set(lowest, leastF64(get(lowest), get(value))),
      ...set(highest, mostF64(get(highest), get(value))),
      ...set(delta, truncateToI64(subtractF64(get(value), loadF64(get(from))))),
      ...set(least, choose(isBelowI64(get(delta), get(least)), get(delta), get(least))),
      ...storeI64(get(at), get(delta)),
      ...step(at, doubleBytes),
      ...step(from, doubleBytes),
    ],
    and(isBelow(get(at), i32(deltasEnd)), isBelow(get(from), get(until))),
  ),
  ...set(end, get(at)),
  ...when(
    isBelow(get(at), i32(deltasEnd)),
    repeat(
      [...storeI64(get(at), get(least)), ...step(at, doubleBytes)],
      isBelow(get(at), i32(deltasEnd)),
    ),
  ),
];

const putLeast: Code = [
  ...set(
    rest,
    xorI64(shiftLeftI64(get(least), long(1)), shiftSignedRightI64(get(least), long(63))),
  ),
  ...repeat(
    [
      ...set(width, and(lowOf(get(rest)), i32(0x7f))),
      ...set(rest, shiftRightI64(get(rest), long(7))),
      ...storeByte(get(to), or(get(width), shiftLeft(isZero(isZeroI64(get(rest))), i32(7)))),
      ...step(to, 1),
    ],
    isZero(isZeroI64(get(rest))),
  ),
];

const miniblockStarts = Array.from(
  { length: miniblocks },
  (_, number) => deltasAt + number * miniblockValues * doubleBytes,
);
const overMiniblock = (start: number, body: Code): Code => [
  ...set(at, i32(start)),
  ...repeat(
    [...body, ...step(at, doubleBytes)],
    isBelow(get(at), i32(start + miniblockValues * doubleBytes)),
  ),
];

const putWidth = (start: number): Code => [
  ...set(rest, long(0)),
  ...overMiniblock(start, [
    ...set(delta, subtractI64(loadI64(get(at)), get(least))),
    ...storeI64(get(at), get(delta)),
    ...set(rest, orI64(get(rest), get(delta))),
  ]),
  ...storeByte(get(to), subtract(i32(64), lowOf(zeroBitsI64(get(rest))))),
  ...step(to, 1),
];

/** Miniblocks without a value have a width only. */
const putMiniblock = (start: number, number: number): Code => [
  ...set(width, loadByte(get(widths), number)),
  ...when(
    and(isAbove(get(width), i32(0)), isBelow(i32(start), get(end))),
    overMiniblock(start, packValue({ width, to, bits, held }, loadI64(get(at)))),
  ),
];

type PutBlocks = (until: number) => number;

const putBlocksIn = compileFunction<PutBlocks>({
  parameters: 1,
  integers: 7,
  longs: 4,
  doubles: 3,
  body: [
    ...set(from, i32(valuesAt)),
    ...set(to, i32(blocksAt)),
    ...set(lowest, loadF64(i32(leastAt))),
    ...set(highest, loadF64(i32(mostAt))),
    ...repeat(
      [
        ...readDeltas,
        ...putLeast,
        ...set(widths, get(to)),
        ...miniblockStarts.flatMap(putWidth),
        ...miniblockStarts.flatMap(putMiniblock),
      ],
      isBelow(get(from), get(until)),
    ),
    ...storeF64(i32(leastAt), get(lowest)),
    ...storeF64(i32(mostAt), get(highest)),
    ...get(to),
  ],
});

const newMachine = () => {
  const memory = newWasmMemory(memoryBytes);
  return {
    range: new Float64Array(memory.buffer, leastAt, 2),
    values: new Float64Array(memory.buffer, valuesAt, 1 + maxValues),
    bytes: new Uint8Array(memory.buffer),
    putBlocks: putBlocksIn(memory),
  };
};

let machine: ReturnType<typeof newMachine> | undefined;

const exactRange = 2 ** 52;

/**
 * Writes integers as Parquet's DELTA_BINARY_PACKED and returns their range; null if there is none,
 * or it is not exact in doubles, and what was written is of no use.
 */
export const putDeltas = (
  out: ByteBuffer,
  values: Float64Array,
  count: number,
): { readonly least: number; readonly most: number } | null => {
  if (count === 0) return null;
  machine ??= newMachine();
  const { range, values: next, bytes, putBlocks } = machine;
  const first = values[0] as number;
  range.fill(first);
  putVarint(out, blockValues);
  putVarint(out, miniblocks);
  putVarint(out, count);
  putZigzag(out, first);
  for (let from = 1; from < count; from += maxValues) {
    const part = values.subarray(from - 1, Math.min(from + maxValues, count));
    next.set(part);
    const end = putBlocks(valuesAt + (part.length - 1) * doubleBytes);
    out.put(bytes.subarray(blocksAt, end));
  }
  const [least = 0, most = 0] = range;
  const isExact = most - least < exactRange && Math.max(Math.abs(least), Math.abs(most)) < 2 ** 53;
  return isExact ? { least, most } : null;
};
