/** Checks for overwritten records after a copy, but not whether the ring has grown. */
import { readCounter } from '../../counter.ts';
import { reserveAt } from '../../ring-memory.ts';

export * from '../../reader-steps.ts';

export const intactAfterCopy = (ring: Int32Array, size: number): number =>
  Math.max(0, readCounter(ring, reserveAt) - size);
