import { constants, inflateSync } from 'node:zlib';

/** What is inflated at once; writers fill containers with 128 KiB. */
export const mostAtOnce = 0x100_0000;
/** Deflate cannot do better than this, so a small container does not need what it claims. */
const bestRatio = 1032;
const minChunkBytes = 0x4000;

/** Whether so many bytes can be what that many become when they are compressed. */
export const isPlausible = (compressed: number, uncompressed: number): boolean =>
  uncompressed > 0 && compressed <= uncompressed + (uncompressed >> 8) + 1024;

/** Whether a container may hold more than is inflated at once, by its size and what it claims. */
export const isLarge = (compressed: number, uncompressed: number): boolean =>
  Math.min(uncompressed, compressed * bestRatio) > mostAtOnce;

/** What was in a container, as far as it is there. */
export interface Inflated {
  readonly contents: Uint8Array;
  /** Bytes of it that were of use. */
  readonly used: number;
  /** It was there to its end. */
  readonly isWhole: boolean;
}

/** With `info` the answer tells what was used; its declaration does not know that. */
interface InflateInfo {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

/** Inflates a container that is there to its end, whatever stands behind that. */
export const inflateWhole = (compressed: Uint8Array): Inflated | undefined => {
  try {
    const answer: unknown = inflateSync(compressed, { info: true, maxOutputLength: mostAtOnce });
    const { buffer, engine } = answer as InflateInfo;
    return { contents: buffer, used: engine.bytesWritten, isWhole: true };
  } catch {
    return undefined;
  }
};

const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';

/** Inflates what there is of a container, or tells that it is too large for that, or no zlib stream. */
export const inflateContainer = (
  compressed: Uint8Array,
  claimed: number,
): Inflated | 'large' | 'damaged' => {
  const room = Math.min(claimed + 1, compressed.length * bestRatio, mostAtOnce);
  try {
    const contents = inflateSync(compressed, {
      // The last container of a recording that was interrupted is incomplete.
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: mostAtOnce,
      chunkSize: Math.max(room, minChunkBytes),
    });
    const asIs = { contents, used: compressed.length, isWhole: contents.length === claimed };
    return asIs.isWhole ? asIs : (inflateWhole(compressed) ?? asIs);
  } catch (thrown) {
    return isTooLarge(thrown) ? 'large' : 'damaged';
  }
};
