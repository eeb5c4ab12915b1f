import { describe, expect, it } from 'vitest';
import {
  checkTiming,
  recommendedSamplePoint,
  samplePoint,
  type TimingPhase,
  timingBitrate,
  timingLimits,
} from './bit-timing.ts';
import type { BitTiming } from './bit-timing-record.ts';

const timing = (prescaler: number, tseg1: number, tseg2: number, sjw = 1): BitTiming => ({
  prescaler,
  tseg1,
  tseg2,
  sjw,
});

describe('timingBitrate and samplePoint', () => {
  it.each([
    [timing(1, 127, 32), 500_000, 0.8],
    [timing(2, 55, 24), 500_000, 0.7],
    [timing(1, 29, 10), 2_000_000, 0.75],
    [timing(1, 11, 4), 5_000_000, 0.75],
  ])('of %o are %d bit/s and %d', (given, bitrate, sample) => {
    expect(timingBitrate(given)).toBe(bitrate);
    expect(samplePoint(given)).toBeCloseTo(sample, 12);
  });

  it('follow the clock they are given', () => {
    expect(timingBitrate(timing(1, 13, 2), 8_000_000)).toBe(500_000);
  });
});

describe('recommendedSamplePoint', () => {
  it.each([
    [10_000, 0.875],
    [500_000, 0.875],
    [500_001, 0.8],
    [800_000, 0.8],
    [800_001, 0.75],
    [8_000_000, 0.75],
  ])('at %d bit/s is %d', (bitrate, sample) => {
    expect(recommendedSamplePoint(bitrate)).toBe(sample);
  });
});

describe('checkTiming', () => {
  const phases: readonly TimingPhase[] = ['nominal', 'data'];
  const fields = ['prescaler', 'tseg1', 'tseg2', 'sjw'] as const;

  const largest = (phase: TimingPhase): BitTiming => {
    const limits = timingLimits[phase];
    return timing(limits.prescaler.max, limits.tseg1.max, limits.tseg2.max, limits.sjw.max);
  };

  it.each([
    ['nominal', timing(1, 2, 2, 1), timing(512, 256, 128, 128)],
    ['data', timing(1, 1, 1, 1), timing(32, 32, 16, 16)],
  ] as const)('takes the %s timings at both ends', (phase, least, max) => {
    expect(() => checkTiming(phase, least)).not.toThrow();
    expect(() => checkTiming(phase, max)).not.toThrow();
    expect(largest(phase)).toEqual(max);
  });

  it.each(phases.flatMap((phase) => fields.map((field) => [phase, field] as const)))(
    'refuses a value of %s %s outside its limits',
    (phase, name) => {
      const { min, max } = timingLimits[phase][name];
      for (const value of [min - 1, max + 1, min + 0.5, Number.NaN]) {
        expect(() => checkTiming(phase, { ...largest(phase), [name]: value })).toThrowError(
          expect.objectContaining({
            code: 'invalid_argument',
            details: { field: `timing.${phase}.${name}`, reason: 'out_of_range', min, max },
          }),
        );
      }
    },
  );

  it('refuses a jump width above tseg2', () => {
    expect(() => checkTiming('data', timing(1, 11, 4, 4))).not.toThrow();
    expect(() => checkTiming('data', timing(1, 11, 4, 5))).toThrowError(
      expect.objectContaining({
        details: { field: 'timing.data.sjw', reason: 'out_of_range', max: 4 },
      }),
    );
  });
});
