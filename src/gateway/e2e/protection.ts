import type { ChecksumAlgorithm } from './checksum-algorithm.ts';
import type { Uint64 } from './uint64.ts';
import type { Uint64Field } from './uint64-field.ts';

/** A field that has the same value in each frame: a length, or data id bits. */
export interface ConstantField {
  readonly field: Uint64Field;
  readonly value: Uint64;
}

/** Data ids of which each counter chooses one, as the first byte of prefix or suffix. */
export interface IdsByCounter {
  readonly place: 'prefix' | 'suffix';
  /** As many as a power of two. */
  readonly ids: Uint8Array;
}

/** What enters a checksum: a prefix, the data without the checksum, a suffix. */
export interface ChecksumInput {
  readonly algorithm: ChecksumAlgorithm;
  readonly prefix: Uint8Array;
  readonly suffix: Uint8Array;
  readonly idsByCounter?: IdsByCounter;
}

/** The fields that protect data, and how the checksum among them is made. */
export interface Protection {
  readonly counter: Uint64Field;
  readonly checksum: Uint64Field;
  readonly constants: readonly ConstantField[];
  readonly input: ChecksumInput;
}
