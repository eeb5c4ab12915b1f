import { describe, expect, it } from 'vitest';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import { timeText } from './frame-columns.ts';

describe('timeText', () => {
  it.each([
    [1_000_152, 1_000_000, '+0.000152'],
    [1_000_000, 1_000_152, '−0.000152'],
    [5, 5, '+0.000000'],
    [5, Number.NaN, ''],
  ])('of %i behind %i is “%s”', (timestampUs, previousUs, text) => {
    expect(timeText({ timestampUs, previousUs } as FrameRow, 'delta', 0)).toBe(text);
  });
});
