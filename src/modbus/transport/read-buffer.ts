import type { OnReadOpts } from 'node:net';

/** Larger than any frame. */
const readBufferBytes = 4096;

/**
 * One buffer for all reads of a socket, where Node would allocate 64 KiB per read. `pause`
 * takes effect immediately, because nothing is read ahead.
 */
export const readBuffer = (deliver: (bytes: Uint8Array) => void): OnReadOpts => {
  const buffer = new Uint8Array(readBufferBytes);
  // Frames often have equal lengths, and a new view costs as much as the rest.
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
