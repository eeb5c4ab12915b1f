import { invalidArgument } from '../base/errors/busbar-error.ts';
import type { BitTiming } from './bit-timing-record.ts';

export const canClockHz = 80_000_000;

export type TimingPhase = 'nominal' | 'data';

export interface Range {
  readonly min: number;
  readonly max: number;
}

export const timingLimits: Readonly<Record<TimingPhase, Readonly<Record<keyof BitTiming, Range>>>> =
  {
    nominal: {
      prescaler: { min: 1, max: 512 },
      tseg1: { min: 2, max: 256 },
      tseg2: { min: 2, max: 128 },
      sjw: { min: 1, max: 128 },
    },
    data: {
      prescaler: { min: 1, max: 32 },
      tseg1: { min: 1, max: 32 },
      tseg2: { min: 1, max: 16 },
      sjw: { min: 1, max: 16 },
    },
  };

export const timingFields = ['prescaler', 'tseg1', 'tseg2', 'sjw'] as const;

export const bitQuanta = ({ tseg1, tseg2 }: Pick<BitTiming, 'tseg1' | 'tseg2'>): number =>
  1 + tseg1 + tseg2;

export const timingBitrate = (
  timing: Pick<BitTiming, 'prescaler' | 'tseg1' | 'tseg2'>,
  clockHz = canClockHz,
): number => clockHz / (timing.prescaler * bitQuanta(timing));

/** Sample point as a fraction of the bit time, from 0 to 1. */
export const samplePoint = (timing: Pick<BitTiming, 'tseg1' | 'tseg2'>): number =>
  (1 + timing.tseg1) / bitQuanta(timing);

export const recommendedSamplePoint = (bitrate: number): number => {
  if (bitrate > 800_000) return 0.75;
  return bitrate > 500_000 ? 0.8 : 0.875;
};

/**
 * Rejects a timing that no controller accepts. The error names the field, such as
 * `timing.nominal.tseg1`.
 */
export const checkTiming = (phase: TimingPhase, timing: BitTiming): void => {
  for (const name of timingFields) {
    const { min, max } = timingLimits[phase][name];
    const value = timing[name];
    if (Number.isInteger(value) && value >= min && value <= max) continue;
    const field = `timing.${phase}.${name}`;
    throw invalidArgument(field, `${field} must be an integer from ${min} to ${max}`, {
      reason: 'out_of_range',
      min,
      max,
    });
  }
  if (timing.sjw > timing.tseg2) {
    const field = `timing.${phase}.sjw`;
    throw invalidArgument(field, `${field} must not be above tseg2, which is ${timing.tseg2}`, {
      reason: 'out_of_range',
      max: timing.tseg2,
    });
  }
};
