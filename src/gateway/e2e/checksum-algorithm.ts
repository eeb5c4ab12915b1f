import type { Uint64 } from './uint64.ts';

/** A checksum of bytes; it keeps nothing between two of them. */
export interface ChecksumAlgorithm {
  compute(input: Uint8Array, result: Uint64): void;
}
