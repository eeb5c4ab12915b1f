import { inflateWhole } from '../inflate.ts';

/** Best compression ratio of deflate, which bounds the size that a block can claim. */
const bestRatio = 1032;
/** The standard allows 4 MiB in a block. */
export const maxUnzippedBytes = 64 * 1024 * 1024;

export const isPlausibleSize = (zipped: number, original: number): boolean =>
  original <= maxUnzippedBytes && original <= zipped * bestRatio + bestRatio;

/** Inflates a block; undefined if it is not a zlib stream of the given size. */
export const unzip = (zipped: Uint8Array, original: number): Uint8Array | undefined => {
  if (original === 0) return new Uint8Array();
  const contents = inflateWhole(zipped, original, original)?.contents;
  return contents?.length === original ? contents : undefined;
};

/**
 * Bytes of records were stored column by column, because equal bytes compress better when they are
 * together. What does not fill a row follows unchanged.
 */
export const fromColumns = (bytes: Uint8Array, columns: number): Uint8Array => {
  if (columns > bytes.length) return bytes;
  const rows = Math.floor(bytes.length / columns);
  const result = new Uint8Array(bytes.length);
  let from = 0;
  for (let column = 0; column < columns; column++) {
    for (let to = column, row = 0; row < rows; row++, to += columns) {
      result[to] = bytes[from++] as number;
    }
  }
  result.set(bytes.subarray(from), from);
  return result;
};

export const toColumns = (bytes: Uint8Array, columns: number, into: Uint8Array): void => {
  const rows = Math.floor(bytes.length / columns);
  let to = 0;
  for (let column = 0; column < columns; column++) {
    for (let from = column, row = 0; row < rows; row++, from += columns) {
      into[to++] = bytes[from] as number;
    }
  }
  into.set(bytes.subarray(to), to);
};
