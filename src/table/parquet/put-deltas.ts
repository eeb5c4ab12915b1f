import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { putVarint, putZigzag } from './thrift.ts';

const blockValues = 128;
const miniblocks = 4;
const miniblockValues = blockValues / miniblocks;

const deltas = new Float64Array(blockValues);

const widthOf = (value: number): number => {
  if (value < 2 ** 32) return value === 0 ? 0 : 32 - Math.clz32(value);
  return 64 - Math.clz32(Math.floor(value / 2 ** 32));
};

const pieceBits = 24;
const piece = 2 ** pieceBits;

/** Packs one miniblock, lowest bits first, in pieces that fit into 32 bits with a rest. */
const putMiniblock = (out: ByteBuffer, from: number, width: number): void => {
  out.reserve((miniblockValues * width) / 8);
  const { bytes } = out;
  let at = out.length;
  let held = 0;
  let bits = 0;
  for (let i = from; i < from + miniblockValues; i++) {
    let rest = deltas[i] as number;
    for (let left = width; left > 0; left -= pieceBits) {
      const next = Math.floor(rest / piece);
      held |= (rest - next * piece) << bits;
      rest = next;
      bits += Math.min(left, pieceBits);
      while (bits >= 8) {
        bytes[at++] = held & 0xff;
        held >>>= 8;
        bits -= 8;
      }
    }
  }
  out.length = at;
};

/** Writes safe integers as Parquet's DELTA_BINARY_PACKED. */
export const putDeltas = (out: ByteBuffer, values: Float64Array, count: number): void => {
  putVarint(out, blockValues);
  putVarint(out, miniblocks);
  putVarint(out, count);
  putZigzag(out, count === 0 ? 0 : (values[0] as number));
  for (let from = 1; from < count; from += blockValues) {
    const size = Math.min(blockValues, count - from);
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < size; i++) {
      const delta = (values[from + i] as number) - (values[from + i - 1] as number);
      deltas[i] = delta;
      if (delta < least) least = delta;
    }
    putZigzag(out, least);
    const widths: number[] = [];
    for (let first = 0; first < blockValues; first += miniblockValues) {
      let max = 0;
      for (let i = first; i < first + miniblockValues; i++) {
        const above = i < size ? (deltas[i] as number) - least : 0;
        deltas[i] = above;
        if (above > max) max = above;
      }
      widths.push(widthOf(max));
      out.putByte(widths.at(-1) as number);
    }
    widths.forEach((width, number) => {
      if (number * miniblockValues < size) putMiniblock(out, number * miniblockValues, width);
    });
  }
};
