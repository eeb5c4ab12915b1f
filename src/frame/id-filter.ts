import { invalidArgument } from '../base/errors/busbar-error.ts';
import { maxExtendedId, maxStandardId } from './frame.ts';
import { frameFlag } from './frm2-layout.ts';

/** Passes frames whose identifier equals `id` in all bits set in `mask`. */
export interface IdFilter {
  readonly id: number;
  /** Default: all bits. */
  readonly mask?: number;
  /** Default: both identifier widths. */
  readonly extended?: boolean;
}

export type IdPredicate = (id: number, flags: number) => boolean;

const checkBits = (field: string, bits: number, limit: number): void => {
  if (Number.isInteger(bits) && bits >= 0 && bits <= limit) return;
  const range = `0 to 0x${limit.toString(16).toUpperCase()}`;
  throw invalidArgument(field, `${field} must be an integer from ${range}`, {
    reason: 'out_of_range',
    limit,
  });
};

const checkFilter = (filter: IdFilter, field: string): void => {
  const limit = filter.extended === false ? maxStandardId : maxExtendedId;
  checkBits(`${field}.id`, filter.id, limit);
  if (filter.mask !== undefined) checkBits(`${field}.mask`, filter.mask, limit);
};

const split = (filters: readonly IdFilter[]): { exact: Set<number>; masked: Int32Array } => {
  const exact = new Set<number>();
  const pairs: number[] = [];
  for (const { id, mask = maxExtendedId } of filters) {
    if (mask === maxExtendedId) exact.add(id);
    else pairs.push(id & mask, mask);
  }
  return { exact, masked: Int32Array.from(pairs) };
};

const passes = (id: number, exact: ReadonlySet<number>, masked: Int32Array): boolean => {
  for (let i = 0; i < masked.length; i += 2) {
    if ((id & (masked[i + 1] as number)) === masked[i]) return true;
  }
  return exact.size > 0 && exact.has(id);
};

/**
 * Compiles filters into one predicate. A frame passes if any filter matches, and always without
 * filters. Filters never pass error frames because their id contains class bits.
 */
export const compileIdFilters = (
  filters: readonly IdFilter[],
  fieldOf = (index: number): string => `filters[${index}]`,
): IdPredicate => {
  if (filters.length === 0) return () => true;
  filters.forEach((filter, index) => {
    checkFilter(filter, fieldOf(index));
  });
  const narrow = split(filters.filter(({ extended }) => extended !== true));
  const wide = split(filters.filter(({ extended }) => extended !== false));
  // The 2,048 11-bit identifiers are decided in advance.
  const standard = Uint8Array.from({ length: maxStandardId + 1 }, (_, id) =>
    passes(id, narrow.exact, narrow.masked) ? 1 : 0,
  );
  return (id, flags) => {
    if ((flags & (frameFlag.error | frameFlag.extended)) === 0) return standard[id] === 1;
    return (flags & frameFlag.error) === 0 && passes(id, wide.exact, wide.masked);
  };
};
