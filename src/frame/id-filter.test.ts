import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import { maxExtendedId, maxStandardId } from './frame.ts';
import { frameFlag } from './frm2-layout.ts';
import { compileIdFilters, type IdFilter } from './id-filter.ts';

const standard = 0;
const { extended, error } = frameFlag;

describe('compileIdFilters', () => {
  it('lets everything pass without filters', () => {
    const passes = compileIdFilters([]);
    expect([passes(1, standard), passes(1, extended), passes(1, error)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('lets an identifier pass in both widths unless told which', () => {
    const both = compileIdFilters([{ id: 0x123 }]);
    expect([both(0x123, standard), both(0x123, extended)]).toEqual([true, true]);
    expect([both(0x124, standard), both(0x124, extended)]).toEqual([false, false]);
    const narrow = compileIdFilters([{ id: 0x123, extended: false }]);
    expect([narrow(0x123, standard), narrow(0x123, extended)]).toEqual([true, false]);
    const wide = compileIdFilters([{ id: 0x123, extended: true }]);
    expect([wide(0x123, standard), wide(0x123, extended)]).toEqual([false, true]);
  });

  it('compares only the bits of the mask', () => {
    const passes = compileIdFilters([{ id: 0x18ff50e5, mask: 0x00ffff00, extended: true }]);
    expect(passes(0x0cff5011, extended)).toBe(true);
    expect(passes(0x0cff5111, extended)).toBe(false);
    expect(compileIdFilters([{ id: 0, mask: 0 }])(0x7ff, standard)).toBe(true);
  });

  it('lets no error frame pass a filter, whatever its class bits are', () => {
    const passes = compileIdFilters([{ id: 0, mask: 0 }]);
    expect(passes(4, error)).toBe(false);
    expect(passes(4, error | extended)).toBe(false);
  });

  it('lets pass exactly what any single filter would', () => {
    const filter = fc
      .record({
        id: fc.integer({ min: 0, max: maxExtendedId }),
        mask: fc.option(
          fc.oneof(
            fc.integer({ min: 0, max: maxExtendedId }),
            fc.constantFrom(0x7f0, 0x7ff, 0x1f000000),
          ),
          { nil: undefined },
        ),
        extended: fc.option(fc.boolean(), { nil: undefined }),
      })
      .map(({ id, mask, extended: wide }): IdFilter => {
        const bits = wide === false ? maxStandardId : maxExtendedId;
        return {
          id: id & bits,
          ...(mask !== undefined && { mask: mask & bits }),
          ...(wide !== undefined && { extended: wide }),
        };
      });
    const singly = (one: IdFilter, id: number, isExtended: boolean): boolean =>
      (one.extended ?? isExtended) === isExtended &&
      ((id ^ one.id) & (one.mask ?? maxExtendedId)) === 0;
    fc.assert(
      fc.property(
        fc.array(filter, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: maxExtendedId }),
        (filters, random) => {
          const passes = compileIdFilters(filters);
          const ids = [random, ...filters.flatMap(({ id }) => [id, id ^ 1, id ^ (1 << 10)])];
          for (const id of ids) {
            const low = id & maxStandardId;
            expect(passes(low, standard)).toBe(filters.some((one) => singly(one, low, false)));
            expect(passes(id, extended)).toBe(filters.some((one) => singly(one, id, true)));
          }
        },
      ),
      { seed: 4, numRuns: cases(60, 300) },
    );
  });

  it.each<[IdFilter, string]>([
    [{ id: 0x800, extended: false }, 'filters[1].id'],
    [{ id: 0x20000000 }, 'filters[1].id'],
    [{ id: -1 }, 'filters[1].id'],
    [{ id: 1.5 }, 'filters[1].id'],
    [{ id: 1, mask: 0xfff, extended: false }, 'filters[1].mask'],
    [{ id: 1, mask: 0x20000000 }, 'filters[1].mask'],
  ])('refuses %o', (filter, field) => {
    expect(() => compileIdFilters([{ id: 1 }, filter])).toThrowError(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ field }),
      }),
    );
  });

  it('names the field as its caller does', () => {
    expect(() => compileIdFilters([{ id: -1 }], () => 'source')).toThrowError(
      expect.objectContaining({ details: expect.objectContaining({ field: 'source.id' }) }),
    );
  });
});
