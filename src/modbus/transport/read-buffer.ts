import type { OnReadOpts } from 'node:net';

/** Larger than any frame: what arrives at once is mostly taken at once. */
const readBufferBytes = 4096;

/**
 * One buffer for all that a socket reads, where Node would allocate 64 KiB for every read. It also
 * makes `pause` take effect at once: nothing is read ahead, not even the end of the connection.
 */
export const readBuffer = (deliver: (bytes: Uint8Array) => void): OnReadOpts => {
  const buffer = new Uint8Array(readBufferBytes);
  // Frames have the same length again and again, and a view of it costs as much as the rest.
  let view = buffer;
  return {
    buffer,
    callback: (count) => {
      if (view.length !== count) view = buffer.subarray(0, count);
      deliver(view);
      return true;
    },
  };
};
