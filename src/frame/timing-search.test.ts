import { describe, expect, it } from 'vitest';
import {
  checkTiming,
  recommendedSamplePoint,
  samplePoint,
  type TimingPhase,
  timingBitrate,
} from './bit-timing.ts';
import { fdTimingsFor, timingFor } from './timing-search.ts';

const usual: readonly [TimingPhase, number][] = [
  ...[10_000, 20_000, 50_000, 100_000, 125_000, 250_000, 500_000, 800_000, 1_000_000].map(
    (bitrate): [TimingPhase, number] => ['nominal', bitrate],
  ),
  ...[500_000, 1_000_000, 2_000_000, 4_000_000, 5_000_000, 8_000_000].map(
    (bitrate): [TimingPhase, number] => ['data', bitrate],
  ),
];

const noTiming = (field: string) =>
  expect.objectContaining({
    code: 'invalid_argument',
    details: expect.objectContaining({ field, reason: 'no_timing' }),
  });

describe('timingFor', () => {
  it.each(usual)('finds for the %s rate %d a legal timing of that very rate', (phase, bitrate) => {
    const timing = timingFor(phase, bitrate);
    expect(() => checkTiming(phase, timing)).not.toThrow();
    expect(timingBitrate(timing)).toBe(bitrate);
    expect(Math.abs(samplePoint(timing) - recommendedSamplePoint(bitrate))).toBeLessThan(0.06);
  });

  it.each([
    ['nominal', 500_000, { prescaler: 1, tseg1: 139, tseg2: 20, sjw: 20 }],
    ['nominal', 1_000_000, { prescaler: 1, tseg1: 59, tseg2: 20, sjw: 20 }],
    ['data', 2_000_000, { prescaler: 1, tseg1: 29, tseg2: 10, sjw: 10 }],
    ['data', 400_000, { prescaler: 8, tseg1: 21, tseg2: 3, sjw: 3 }],
    ['data', 5_000_000, { prescaler: 1, tseg1: 11, tseg2: 4, sjw: 4 }],
  ] as const)('samples %s %d where recommended, in the finest quanta', (phase, bitrate, timing) => {
    expect(timingFor(phase, bitrate)).toEqual(timing);
  });

  it('comes near rates that no whole number of quanta hits', () => {
    expect(timingBitrate(timingFor('nominal', 83_333))).toBeCloseTo(83_333.33, 1);
  });

  it('follows another clock', () => {
    expect(timingBitrate(timingFor('nominal', 250_000, 8_000_000), 8_000_000)).toBe(250_000);
  });

  it.each([0, -500_000, Number.NaN, Number.POSITIVE_INFINITY, 100, 40_000_000])(
    'refuses a nominal rate of %d',
    (bitrate) => {
      expect(() => timingFor('nominal', bitrate)).toThrowError(noTiming('bitrate'));
    },
  );

  it('refuses a data rate that would be off by more than the other nodes bear', () => {
    expect(() => timingFor('data', 3_000_000)).toThrowError(noTiming('data_bitrate'));
  });
});

describe('fdTimingsFor', () => {
  it.each([
    [500_000, 2_000_000],
    [500_000, 1_000_000],
    [500_000, 5_000_000],
    [250_000, 500_000],
    [125_000, 500_000],
    [1_000_000, 8_000_000],
  ])('gives %d / %d one prescaler for both phases', (bitrate, dataBitrate) => {
    const { nominal, data } = fdTimingsFor(bitrate, dataBitrate);
    expect(nominal.prescaler).toBe(data.prescaler);
    expect(timingBitrate(nominal)).toBe(bitrate);
    expect(timingBitrate(data)).toBe(dataBitrate);
    expect(() => checkTiming('nominal', nominal)).not.toThrow();
    expect(() => checkTiming('data', data)).not.toThrow();
  });

  it('falls back to two prescalers where one would not do', () => {
    const { nominal, data } = fdTimingsFor(10_000, 8_000_000);
    expect(nominal).toEqual(timingFor('nominal', 10_000));
    expect(data).toEqual(timingFor('data', 8_000_000));
    expect(nominal.prescaler).not.toBe(data.prescaler);
  });

  it('does not share a prescaler that leaves too few quanta', () => {
    // Both could use 10, with four quanta per data bit.
    const { nominal, data } = fdTimingsFor(50_000, 2_000_000);
    expect([nominal.prescaler, data.prescaler]).toEqual([8, 1]);
  });

  it('refuses each rate by its own field', () => {
    expect(() => fdTimingsFor(100, 2_000_000)).toThrowError(noTiming('bitrate'));
    expect(() => fdTimingsFor(500_000, 3_000_000)).toThrowError(noTiming('data_bitrate'));
  });
});
