import { readSync } from 'node:fs';

/**
 * What a file holds from its present position on, and no more than the limit and one byte of it,
 * whatever its size is said to be: an answer longer than the limit tells that the file is too.
 */
export const readAtMost = (descriptor: number, limit: number): Uint8Array => {
  const bytes = new Uint8Array(limit + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(descriptor, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
};
