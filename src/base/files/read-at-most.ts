import { readSync } from 'node:fs';

/**
 * Content from the current position, at most limit + 1 bytes, so that a longer file is noticed.
 */
export const readAtMost = (descriptor: number, limit: number): Uint8Array => {
  const bytes = new Uint8Array(limit + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(descriptor, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
};
