import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctNames } from './distinct-names.ts';

describe('distinct names', () => {
  it.each([
    [[], []],
    [
      ['A', 'B'],
      ['A', 'B'],
    ],
    [
      ['A', 'B', 'A', 'A'],
      ['A', 'B', 'A#2', 'A#3'],
    ],
    [
      ['A', 'A', 'A#2'],
      ['A', 'A#3', 'A#2'],
    ],
    [
      ['A#2', 'A', 'A', 'A#2', 'A'],
      ['A#2', 'A', 'A#3', 'A#2#2', 'A#4'],
    ],
  ])('are for %j %j', (names, expected) => {
    expect(distinctNames(names)).toEqual(expected);
  });

  it('are all different, and what the file has once keeps its name', () => {
    const name = fc.constantFrom('A', 'B', 'A#2', 'A#3', 'A#2#2', '');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (names) => {
        const made = distinctNames(names);
        expect(new Set(made).size).toBe(names.length);
        names.forEach((each, index) => {
          if (names.indexOf(each) === index) expect(made[index]).toBe(each);
        });
      }),
    );
  });
});
