import { describe, expect, it } from 'vitest';
import { rtuSilenceUs } from './serial-framing.ts';

describe('rtuSilenceUs', () => {
  it.each([
    [1200, 32_084],
    [9600, 4011],
    [19_200, 2006],
    [19_201, 1750],
    [38_400, 1750],
    [115_200, 1750],
  ])('at %i baud is %i µs', (baud, silenceUs) => {
    expect(rtuSilenceUs(baud)).toBe(silenceUs);
  });
});
