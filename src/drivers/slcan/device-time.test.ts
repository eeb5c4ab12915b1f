import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeviceTime } from './device-time.ts';

describe('the time of a device', () => {
  it('keeps the distances between stamps, whatever the way took', () => {
    const time = new DeviceTime(8);
    expect(time.hostUs(1_000, 50_000)).toBe(50_000);
    expect(time.hostUs(3_000, 90_000)).toBeCloseTo(52_000, -2);
  });

  it('follows the quickest way seen', () => {
    const time = new DeviceTime(8);
    time.hostUs(0, 10_000);
    expect(time.hostUs(1_000, 10_500)).toBe(10_500);
    expect(time.hostUs(2_000, 20_000)).toBeCloseTo(11_500, -2);
  });

  it.each([
    [4, 59_999, 0, 1_000],
    [8, 3_599_999_999, 0, 1],
    [8, 2 ** 32 - 1, 0, 1],
  ] as const)('goes on where %d digits begin anew behind %d', (digits, last, first, stepUs) => {
    const time = new DeviceTime(digits);
    const before = time.hostUs(last, 1e9);
    expect(time.hostUs(first, 1e9 + 5_000) - before).toBeCloseTo(stepUs, -1);
  });

  it('finds its way after hours without a frame', () => {
    const time = new DeviceTime(4);
    time.hostUs(0, 0);
    const hourUs = 3_600_000_000;
    expect(time.hostUs(30_000, hourUs + 30_000_000)).toBeLessThanOrEqual(hourUs + 30_000_000);
    expect(time.hostUs(30_000, hourUs + 30_000_000)).toBeGreaterThan(hourUs + 28_000_000);
  });

  it.each([
    [8, 3, 0x4000_0000],
    [8, 3, -0x0020_0000],
    [8, 3, 0xf000_0000],
    [8, 3, 0x0008_0000],
    [8, 0, 0x4000_0000],
    [4, 3, 0x4000],
    [4, 3, -0x0800],
    [4, 3, 0x0100],
    [4, 0, 0x4000],
  ] as const)('outlives a stamp of %d digits that is wrong (number %d by %d)', (digits, at, by) => {
    const time = new DeviceTime(digits);
    const unitUs = digits === 8 ? 1 : 1000;
    for (let i = 0; i < 10; i++) {
      const atUs = (10 + i) * 1_000_000;
      const stamp = (atUs - 500_000) / unitUs + (i === at ? by : 0);
      const behindUs = atUs + 1_000 - time.hostUs(stamp, atUs + 1_000);
      expect(behindUs).toBeGreaterThanOrEqual(0);
      expect(behindUs).toBeLessThan(5_000);
    }
  });

  it('follows a device that begins to count anew', () => {
    const time = new DeviceTime(8);
    for (let i = 0; i < 5; i++) time.hostUs(900_000_000 + i * 1_000, 1_000_000 + i * 1_000);
    expect(time.hostUs(500_000, 9_000_000)).toBe(9_000_000);
    expect(time.hostUs(600_000, 9_100_000)).toBe(9_100_000);
    expect(time.hostUs(700_000, 9_205_000)).toBeCloseTo(9_200_000, -2);
  });

  it('knows which milliseconds there are', () => {
    expect(DeviceTime.isPossible(59_999, 4)).toBe(true);
    expect(DeviceTime.isPossible(60_000, 4)).toBe(false);
    expect(DeviceTime.isPossible(60_000, 8)).toBe(true);
  });

  it('is never ahead of the arrival, nor far behind the moment of the stamp', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(40_000_000), fc.nat(20_000)), { minLength: 1, maxLength: 200 }),
        fc.nat(60_000_000),
        fc.integer({ min: -100, max: 100 }),
        (frames, startUs, ppm) => {
          const time = new DeviceTime(4);
          let atUs = 0;
          let lastArrivalUs = 0;
          for (const [pauseUs, delayUs] of frames) {
            atUs += pauseUs;
            const deviceUs = startUs + atUs * (1 + ppm / 1e6);
            const arrivalUs = Math.max(lastArrivalUs, atUs + delayUs);
            lastArrivalUs = arrivalUs;
            const hostUs = time.hostUs(Math.floor(deviceUs / 1000) % 60_000, arrivalUs);
            expect(hostUs).toBeLessThanOrEqual(arrivalUs + 1e-3);
            expect(hostUs).toBeGreaterThanOrEqual(atUs - 25_000);
          }
        },
      ),
    );
  });
});
