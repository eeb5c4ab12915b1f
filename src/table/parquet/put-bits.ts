import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { putVarint } from './thrift.ts';

export const bitWidthOf = (max: number): number => (max === 0 ? 0 : 32 - Math.clz32(max));

const group = 8;
/** Shorter repeats cost less as packed bits. */
const shortestRepeat = 8;

/** Packs values of at most 24 bits, lowest bits first, and zeros up to a multiple of 8 values. */
const packBits = (
  out: ByteBuffer,
  values: Uint32Array,
  from: number,
  to: number,
  width: number,
): void => {
  const end = from + Math.ceil((to - from) / group) * group;
  out.reserve(((end - from) / group) * width);
  const { bytes } = out;
  let at = out.length;
  let held = 0;
  let bits = 0;
  for (let i = from; i < end; i++) {
    held |= (i < to ? (values[i] as number) : 0) << bits;
    bits += width;
    while (bits >= 8) {
      bytes[at++] = held & 0xff;
      held >>>= 8;
      bits -= 8;
    }
  }
  out.length = at;
};

const repeatedFrom = (values: Uint32Array, from: number, count: number): number => {
  const value = values[from];
  let end = from + 1;
  while (end < count && values[end] === value) end++;
  return end;
};

/**
 * Writes values as Parquet's hybrid of repeats and packed bits: `<count << 1>` and the value, or
 * `<groups << 1 | 1>` and groups of eight values.
 */
export const putHybrid = (
  out: ByteBuffer,
  values: Uint32Array,
  count: number,
  width: number,
): void => {
  let packedFrom = 0;
  let at = 0;
  while (at < count) {
    const end = repeatedFrom(values, at, count);
    // A packed group is complete, except at the end of all values.
    const groupEnd = packedFrom + Math.ceil((at - packedFrom) / group) * group;
    if (end - Math.max(at, groupEnd) < shortestRepeat) {
      at = end;
      continue;
    }
    if (groupEnd > packedFrom) putPacked(out, values, packedFrom, groupEnd, width);
    putVarint(out, (end - groupEnd) * 2);
    for (let bits = 0; bits < width; bits += 8) {
      out.putByte(((values[groupEnd] as number) >>> bits) & 0xff);
    }
    at = end;
    packedFrom = end;
  }
  if (packedFrom < count) putPacked(out, values, packedFrom, count, width);
};

const putPacked = (
  out: ByteBuffer,
  values: Uint32Array,
  from: number,
  to: number,
  width: number,
): void => {
  putVarint(out, Math.ceil((to - from) / group) * 2 + 1);
  packBits(out, values, from, to, width);
};
