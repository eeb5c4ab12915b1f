import { constants, inflateSync } from 'node:zlib';

export interface Inflated {
  readonly contents: Uint8Array;
  /** Bytes of the input that belong to the stream. */
  readonly used: number;
  /** False if the input ends before the stream does. */
  readonly isWhole: boolean;
}

/** The `info` option is missing in the type declarations. */
interface InflateInfo {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

const minChunkBytes = 0x4000;

/** Inflates a complete zlib stream (RFC 1950) of at most `limit` bytes, usually `expected`. */
export const inflateWhole = (
  compressed: Uint8Array,
  limit: number,
  expected = 0,
): Inflated | undefined => {
  const chunkSize = Math.max(expected, minChunkBytes);
  try {
    const answer: unknown = inflateSync(compressed, {
      ...{ info: true, maxOutputLength: limit, chunkSize },
    });
    const { buffer, engine } = answer as InflateInfo;
    return { contents: buffer, used: engine.bytesWritten, isWhole: true };
  } catch {
    return undefined;
  }
};

const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';

/**
 * The same for a stream that can be incomplete. The console has its own version of this file,
 * because browsers have no synchronous zlib.
 */
export const inflate = (
  compressed: Uint8Array,
  limit: number,
  expected: number,
): Inflated | 'large' | 'damaged' => {
  try {
    const contents = inflateSync(compressed, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: limit,
      chunkSize: Math.max(Math.min(expected + 1, limit), minChunkBytes),
    });
    const asIs = { contents, used: compressed.length, isWhole: contents.length === expected };
    return asIs.isWhole ? asIs : (inflateWhole(compressed, limit) ?? asIs);
  } catch (thrown) {
    return isTooLarge(thrown) ? 'large' : 'damaged';
  }
};
