import { closeSync, readSync } from 'node:fs';

/** Reads up to limit + 1 bytes from the current position, so callers can detect a longer file. */
export const readAtMost = (descriptor: number, limit: number): Uint8Array => {
  const bytes = new Uint8Array(limit + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(descriptor, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
};

/** The same for a file that is only read once. */
export const readAndClose = (descriptor: number, limit: number): Uint8Array => {
  try {
    return readAtMost(descriptor, limit);
  } finally {
    closeSync(descriptor);
  }
};
