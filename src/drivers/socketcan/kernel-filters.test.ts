import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { compileIdFilters, type IdFilter } from '../../frame/id-filter.ts';
import { kernelFilters } from './socketcan-channel.ts';

/** The kernel's own filter function (net/can/af_can.c). */
const passesKernel = (pairs: Uint32Array, word: number): boolean => {
  for (let i = 0; i < pairs.length; i += 2) {
    const [id = 0, mask = 0] = pairs.subarray(i, i + 2);
    if ((word & mask) >>> 0 === (id & mask) >>> 0) return true;
  }
  return false;
};

const filters: readonly IdFilter[][] = [
  [{ id: 0x123 }],
  [{ id: 0x123, extended: true }],
  [{ id: 0x200, mask: 0x700, extended: false }],
  [{ id: 0x18ff0000, mask: 0x1fff0000 }],
  [
    { id: 0x100, mask: 0x700 },
    { id: 0x18ff0000, mask: 0x1fff0000, extended: true },
  ],
  [{ id: 0, mask: 0 }],
];

describe('filters of the kernel', () => {
  it.each(filters.map((each) => [each]))('let pass what ours let pass: %j', (each) => {
    const pairs = kernelFilters(each);
    const ours = compileIdFilters(each);
    if (!pairs) throw new RangeError('The kernel has no such filters');
    const ids = [0, 1, 0x100, 0x122, 0x123, 0x1ff, 0x200, 0x2ff, 0x7ff];
    const wide = [...ids, 0x18ff0000, 0x18ff1234, 0x18fe1234, 0x1fffffff];
    for (const id of ids) {
      for (const rtr of [0, 0x40000000]) {
        expect(passesKernel(pairs, (id | rtr) >>> 0)).toBe(ours(id, 0));
      }
    }
    for (const id of wide) {
      expect(passesKernel(pairs, (id | 0x80000000) >>> 0)).toBe(ours(id, frameFlag.extended));
    }
  });

  it('are none where none are asked for, or the kernel has too few', () => {
    expect(kernelFilters([])).toBeUndefined();
    expect(kernelFilters(Array.from({ length: 600 }, (_, id) => ({ id })))).toBeUndefined();
    // Nothing would pass: no valid filter for a socket.
    expect(kernelFilters([{ id: 0x1000, mask: 0x1fffffff, extended: false }])).toBeUndefined();
  });
});
