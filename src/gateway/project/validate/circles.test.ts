import { describe, expect, it } from 'vitest';
import { circleText, findCircles } from './circles.ts';

const chain = (length: number): number[][] =>
  Array.from({ length }, (_, node) => (node + 1 < length ? [node + 1] : []));

describe('findCircles', () => {
  it.each<[string, number[][], number[][]]>([
    ['nothing', [], []],
    ['a chain', chain(4), []],
    ['two ways to one node', [[1, 2], [3], [3], []], []],
    ['a node that leads to itself', [[0]], [[0]]],
    ['a circle behind a chain', [[1], [2], [3], [1]], [[1, 2, 3]]],
    [
      'two circles apart',
      [[1], [0], [3], [2]],
      [
        [0, 1],
        [2, 3],
      ],
    ],
    ['two circles that meet, once', [[1, 2], [0], [0]], [[0, 1]]],
  ])('finds what there is in %s', (_, edges, circles) => {
    expect(findCircles(edges)).toEqual(circles);
  });

  it('takes chains and circles of any length', () => {
    const length = 200_000;
    const edges = chain(length);
    expect(findCircles(edges)).toEqual([]);
    edges[length - 1] = [0];
    expect(findCircles(edges)[0]).toHaveLength(length);
  });
});

describe('circleText', () => {
  it('comes back to where it began, and leaves most of a long circle out', () => {
    expect(circleText(['a', 'b'])).toBe('"a" → "b" → "a"');
    const ids = Array.from({ length: 50 }, (_, place) => `n${place}`);
    expect(circleText(ids)).toMatch(/^"n0" → "n1" → .* → "n9" → … → "n0"$/);
  });
});
