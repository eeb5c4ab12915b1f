import { describe, expect, it } from 'vitest';
import { RateMeter, samplePeriodUs } from './rate-meter.ts';

const zero = { rxFps: 0, txFps: 0, busLoadPercent: 0 };

/** Samples on the grid from 0 up to a time, with counts given by `countAt`. */
const sampledUntil = (untilUs: number, countAt: (atUs: number) => number): RateMeter => {
  const meter = new RateMeter();
  for (let atUs = 0; atUs <= untilUs; atUs += samplePeriodUs) {
    meter.sample(atUs, countAt(atUs), 2 * countAt(atUs), atUs / 4);
  }
  return meter;
};

describe('RateMeter', () => {
  it('is at zero without a sample', () => {
    expect(new RateMeter().read(5_000_000, 100, 100, 100)).toEqual(zero);
  });

  it('is at zero as long as no time has gone by', () => {
    const meter = new RateMeter();
    meter.sample(5_000_000, 0, 0, 0);
    expect(meter.read(5_000_000, 9, 9, 9)).toEqual(zero);
  });

  it('judges a young channel by all of its life', () => {
    const meter = new RateMeter();
    meter.sample(1_000_000, 0, 0, 0);
    expect(meter.read(1_100_000, 50, 25, 20_000)).toEqual({
      rxFps: 500,
      txFps: 250,
      busLoadPercent: 20,
    });
  });

  it.each([10_000_000, 10_100_000, 10_249_999])(
    'gives the rates of something steady, whenever it is asked: at %i µs',
    (nowUs) => {
      const meter = sampledUntil(10_000_000, (atUs) => atUs / 1000);
      expect(meter.read(nowUs, nowUs / 1000, nowUs / 500, nowUs / 4)).toEqual({
        rxFps: 1000,
        txFps: 2000,
        busLoadPercent: 25,
      });
    },
  );

  it('has forgotten a burst a little more than a second later', () => {
    const meter = sampledUntil(10_000_000, (atUs) => Math.min(atUs, 8_500_000) / 100);
    expect(meter.read(10_000_000, 85_000, 170_000, 2_500_000)).toMatchObject({
      rxFps: 0,
      txFps: 0,
    });
  });

  it('still knows what came within the last second', () => {
    const meter = sampledUntil(10_000_000, (atUs) => (atUs > 9_000_000 ? 500 : 0));
    expect(meter.read(10_000_000, 500, 1000, 0)).toMatchObject({ rxFps: 500, txFps: 1000 });
  });

  it('reaches back no further than it must when samples came late', () => {
    const meter = new RateMeter();
    meter.sample(0, 0, 0, 0);
    meter.sample(60_000_000, 60, 0, 0);
    expect(meter.read(62_000_000, 1060, 0, 0).rxFps).toBe(500);
  });

  it('never shows a bus as more than full, and one decimal of what it shows', () => {
    const meter = new RateMeter();
    meter.sample(0, 0, 0, 0);
    expect(meter.read(1_000_000, 0, 0, 1_000_400).busLoadPercent).toBe(100);
    expect(meter.read(1_000_000, 0, 0, 123_456).busLoadPercent).toBe(12.3);
    expect(meter.read(3_000_000, 1, 0, 0).rxFps).toBe(0.3);
  });
});
