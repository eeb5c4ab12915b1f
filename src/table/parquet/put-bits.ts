import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { maxPacked, packer } from './pack-bits.ts';
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
  const { source, packed, pack } = packer();
  for (let at = from; at < to; at += maxPacked) {
    const part = values.subarray(at, Math.min(at + maxPacked, to));
    const count = Math.ceil(part.length / group) * group;
    source.set(part);
    source.fill(0, part.length, count);
    out.put(packed.subarray(0, pack(count, width)));
  }
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
  while (at + shortestRepeat <= count) {
    // No repeat starts before the last change in the values that the shortest one would have.
    let start = at + shortestRepeat - 1;
    const value = values[start] as number;
    while (start > at && values[start - 1] === value) start--;
    if (start > at) {
      at = start;
      continue;
    }
    let end = at + shortestRepeat;
    while (end < count && values[end] === value) end++;
    // A packed group is complete, except at the end of all values.
    const groupEnd = packedFrom + Math.ceil((at - packedFrom) / group) * group;
    if (end - groupEnd < shortestRepeat) {
      at = end;
      continue;
    }
    if (groupEnd > packedFrom) putPacked(out, values, packedFrom, groupEnd, width);
    putVarint(out, (end - groupEnd) * 2);
    for (let bits = 0; bits < width; bits += 8) {
      out.putByte((value >>> bits) & 0xff);
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
