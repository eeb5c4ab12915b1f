import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderedBitSet } from './ordered-bit-set.ts';

describe('marked numbers', () => {
  it('come back lowest first and once, also when some are marked meanwhile', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40_000 }),
        fc.array(fc.option(fc.nat(), { freq: 2 }), { maxLength: 200 }),
        (limit, steps) => {
          const marked = new OrderedBitSet(limit);
          const model = new Set<number>();
          for (const step of steps) {
            if (step === null) {
              const lowest = model.size === 0 ? -1 : Math.min(...model);
              expect(marked.takeLowest()).toBe(lowest);
              model.delete(lowest);
            } else {
              marked.mark(step % limit);
              model.add(step % limit);
            }
          }
          marked.clear();
          expect(marked.takeLowest()).toBe(-1);
        },
      ),
      { seed: 41, numRuns: 300 },
    );
  });
});
