import { constants, inflateSync } from 'node:zlib';

/** Writers fill containers with 128 KiB; this leaves room for those that do otherwise. */
const maxContainerBytes = 0x100_0000;
/** Deflate cannot do better than this, so a small container does not need what it claims. */
const bestRatio = 1032;
/** What zlib itself asks for. */
const minChunkBytes = 64;

/** Whether so many bytes can be what that many become when they are compressed. */
export const isPlausible = (compressed: number, uncompressed: number): boolean =>
  uncompressed <= maxContainerBytes && compressed <= uncompressed + (uncompressed >> 8) + 1024;

/**
 * Inflates what there is of a container, up to the size that it claims. Undefined if that is no
 * zlib stream or one that goes on beyond the claim: such a file is after the reader's memory.
 */
export const inflateContainer = (
  compressed: Uint8Array,
  uncompressedBytes: number,
): Uint8Array | undefined => {
  const room = Math.min(uncompressedBytes + 1, compressed.length * bestRatio);
  try {
    return inflateSync(compressed, {
      // The last container of a recording that was interrupted is incomplete.
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: uncompressedBytes,
      chunkSize: Math.max(room, minChunkBytes),
    });
  } catch {
    return undefined;
  }
};
