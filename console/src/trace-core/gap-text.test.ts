import { describe, expect, it } from 'vitest';
import { gapSum } from './gap-text.ts';

describe('the sum of all gaps', () => {
  it.each([
    [0, 0, 0, 'no gaps'],
    [1, 1920, 0, '▲ 1 gap, 1,920 missing'],
    [2, 5, 1, '▲ 2 gaps, at least 5 missing'],
    [1, 0, 1, '▲ 1 gap, an unknown number missing'],
  ])(
    'of %i gaps, %i frames and %i that were not counted is “%s”',
    (gaps, missing, uncounted, text) => {
      expect(gapSum(gaps, missing, uncounted)).toBe(text);
    },
  );
});
