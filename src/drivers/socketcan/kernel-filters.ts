import type { IdFilter } from '../../frame/id-filter.ts';
import { extendedIdMask, rawIdFlag } from './raw-frame.ts';

const standardIdMask = 0x7ff;
/** As many as a socket takes. */
const mostFilters = 512;

/**
 * Filters as the kernel has them: pairs of an identifier with its flags and a mask, of which any may
 * let a frame pass. A bit of the flags tells the two widths apart; remote frames pass like others.
 * Undefined if the kernel would let something else pass.
 */
export const kernelFilters = (filters: readonly IdFilter[]): Uint32Array | undefined => {
  if (filters.length === 0) return undefined;
  const pairs: number[] = [];
  for (const { id, mask = extendedIdMask, extended } of filters) {
    if (extended !== true) {
      // An identifier of eleven bits has zeros above them.
      const isPossible = (id & mask & ~standardIdMask) === 0;
      if (isPossible) pairs.push(id & mask, (mask & standardIdMask) | rawIdFlag.extended);
    }
    if (extended !== false) {
      pairs.push((id & mask) | rawIdFlag.extended, mask | rawIdFlag.extended);
    }
  }
  // No filter at all would let nothing pass, not even errors of the same socket.
  if (pairs.length === 0 || pairs.length / 2 > mostFilters) return undefined;
  return Uint32Array.from(pairs, (word) => word >>> 0);
};
