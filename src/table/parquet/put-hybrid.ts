import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import {
  add,
  and,
  type Code,
  either,
  get,
  i32,
  isAbove,
  isAtLeast,
  isBelow,
  isEqual,
  isZero,
  loadByte,
  loadI32,
  longOf,
  or,
  repeat,
  returned,
  set,
  shiftLeft,
  shiftRight,
  storeByte,
  storeI32,
  subtract,
  when,
} from '../wasm/instructions.ts';
import { compileFunction, newWasmMemory, wasmPageBytes } from '../wasm/wasm-module.ts';
import { packValue } from './pack-bits.ts';
import { putVarint } from './thrift.ts';

export const bitWidthOf = (max: number): number => (max === 0 ? 0 : 32 - Math.clz32(max));

/** Values of a packed group, and of the shortest repeat. */
const groupValues = 8;
/** Groups whose number has one byte. */
const maxGroups = 63;
const bytesEach = 4;

const [from, until, width, table, to, run, header, value, bits] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const held = 9;

const step = (local: number, bytes: number): Code => set(local, add(get(local), i32(bytes)));
/** The value at an address, which is an index of the table if there is one. */
const valueAt = (address: number, isMapped: boolean, offset = 0): Code => {
  const plain = loadI32(get(address), offset);
  return isMapped ? loadI32(add(get(table), shiftLeft(plain, i32(2)))) : plain;
};

/** The number of values in `value`, doubled, and the value repeated from `from`. */
const putRepeat = (isMapped: boolean): Code => [
  ...set(value, shiftRight(subtract(get(run), get(from)), i32(1))),
  ...repeat(
    [
      ...storeByte(
        get(to),
        or(and(get(value), i32(0x7f)), shiftLeft(isAbove(get(value), i32(0x7f)), i32(7))),
      ),
      ...step(to, 1),
      ...set(value, shiftRight(get(value), i32(7))),
    ],
    get(value),
  ),
  ...storeI32(get(to), valueAt(from, isMapped)),
  ...set(to, add(get(to), shiftRight(add(get(width), i32(7)), i32(3)))),
  ...set(from, get(run)),
  ...set(header, i32(0)),
];

/** Adds a group to the last packed ones if their number still has one byte. */
const putGroup = (isMapped: boolean): Code => [
  ...when(isZero(get(header)), set(header, get(to)), storeByte(get(to), i32(1)), step(to, 1)),
  ...Array.from({ length: groupValues }, (_, number) =>
    packValue({ width, to, bits, held }, longOf(valueAt(from, isMapped, number * bytesEach))),
  ).flat(),
  ...step(from, groupValues * bytesEach),
  ...storeByte(get(header), add(loadByte(get(header)), i32(2))),
  ...when(isEqual(loadByte(get(header)), i32(maxGroups * 2 + 1)), set(header, i32(0))),
];

type PutHybrid = (from: number, until: number, width: number, table: number, to: number) => number;

const putHybridIn = (isMapped: boolean) =>
  compileFunction<PutHybrid>({
    parameters: 5,
    integers: 4,
    longs: 1,
    body: [
      ...when(isAtLeast(get(from), get(until)), returned(get(to))),
      ...repeat(
        [
          ...set(value, valueAt(from, isMapped)),
          ...set(run, get(from)),
          ...repeat(
            step(run, bytesEach),
            and(isBelow(get(run), get(until)), isEqual(valueAt(run, isMapped), get(value))),
          ),
          ...either(
            isBelow(subtract(get(run), get(from)), i32(groupValues * bytesEach)),
            putGroup(isMapped),
            putRepeat(isMapped),
          ),
        ],
        isBelow(get(from), get(until)),
      ),
      ...get(to),
    ],
  });

const putPlainIn = putHybridIn(false);
const putMappedIn = putHybridIn(true);

/** Bytes of values at most, and of their number in the shortest groups and repeats. */
const maxBytesEach = 5;
const slackBytes = 64;

const newMachine = (bytes: number) => {
  const memory = newWasmMemory(bytes);
  return { memory, plain: putPlainIn(memory), mapped: putMappedIn(memory) };
};

let machine: ReturnType<typeof newMachine> | undefined;

/**
 * Writes values as Parquet's hybrid of repeats and packed bits: `<count << 1>` and the value, or
 * `<groups << 1 | 1>` and groups of eight values. With a table, each value is an index of it.
 */
export const putHybrid = (
  out: ByteBuffer,
  values: Uint32Array,
  count: number,
  width: number,
  table?: Uint32Array,
): void => {
  if (width === 0) {
    putVarint(out, count * 2);
    return;
  }
  const tableAt = count * bytesEach + slackBytes;
  const outAt = tableAt + (table?.byteLength ?? 0);
  const needed = outAt + count * maxBytesEach + slackBytes;
  machine ??= newMachine(needed);
  const { memory, plain, mapped } = machine;
  const missing = needed - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / wasmPageBytes));
  const source = new Uint32Array(memory.buffer, 0, count + groupValues);
  source.set(values.subarray(0, count));
  source.fill(0, count);
  if (table) new Uint32Array(memory.buffer, tableAt, table.length).set(table);
  const put = table ? mapped : plain;
  const end = put(0, count * bytesEach, width, tableAt, outAt);
  out.put(new Uint8Array(memory.buffer, outAt, end - outAt));
};

/** Writes which rows have a value, as the hybrid of a bit for each; `present` has those rows. */
export const putLevels = (
  out: ByteBuffer,
  present: Uint32Array,
  count: number,
  rows: number,
): void => {
  const isRepeat = (next: number): boolean =>
    next + groupValues <= count &&
    (present[next + groupValues - 1] as number) - (present[next] as number) === groupValues - 1;
  const putRows = (end: number, level: number): void => {
    putVarint(out, (end - at) * 2);
    out.putByte(level);
    at = end;
  };
  let at = 0;
  let next = 0;
  if (count === rows) putRows(rows, 1);
  while (at < rows) {
    const following = next < count ? (present[next] as number) : rows;
    if (following - at >= groupValues || next === count) putRows(following, 0);
    else if (following === at && isRepeat(next)) {
      const first = next - at;
      while (next < count && present[next] === next - first) next++;
      putRows(next - first, 1);
    } else {
      const header = out.length;
      out.putByte(1);
      let groups = 0;
      do {
        let levels = 0;
        while (next < count && (present[next] as number) < at + groupValues) {
          levels |= 1 << ((present[next] as number) - at);
          next++;
        }
        out.putByte(levels);
        at += groupValues;
        groups++;
      } while (
        groups < maxGroups &&
        next < count &&
        (present[next] as number) < at + groupValues &&
        !((present[next] as number) === at && isRepeat(next))
      );
      out.bytes[header] = groups * 2 + 1;
    }
  }
};
