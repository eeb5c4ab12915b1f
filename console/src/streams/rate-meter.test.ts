import { describe, expect, it } from 'vitest';
import { RateMeter } from './rate-meter.ts';

describe('RateMeter', () => {
  it('tells the growth of a count over the last second', () => {
    const meter = new RateMeter();
    expect(meter.measure(0, 0)).toBe(0);
    expect(meter.measure(100, 500)).toBe(200);
    expect(meter.measure(200, 1000)).toBe(200);
    expect(meter.measure(200, 2000)).toBe(0);
    expect(meter.measure(200, 3000)).toBe(0);
  });

  it('starts over when the count was set back', () => {
    const meter = new RateMeter();
    meter.measure(500, 0);
    expect(meter.measure(0, 100)).toBe(0);
    expect(meter.measure(10, 200)).toBe(100);
  });
});
