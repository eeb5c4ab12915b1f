import { describe, expect, it } from 'vitest';
import { RateMeter } from './rate-meter.ts';

describe('RateMeter', () => {
  it('measures over a second and keeps that until the next one', () => {
    const meter = new RateMeter();
    meter.measure(10, 5000);
    meter.measure(60, 5500);
    expect(meter.perSecond).toBe(0);
    meter.measure(310, 7000);
    expect(meter.perSecond).toBe(150);
    meter.measure(400, 7100);
    expect(meter.perSecond).toBe(150);
  });
});
