import { invalidArgument } from '../base/errors/busbar-error.ts';
import {
  bitQuanta,
  canClockHz,
  type Range,
  recommendedSamplePoint,
  samplePoint,
  type TimingPhase,
  timingBitrate,
  timingLimits,
} from './bit-timing.ts';
import type { BitTiming } from './bit-timing-record.ts';

const rateField = { nominal: 'bitrate', data: 'data_bitrate' } as const;

const rateTolerance = 0.001;

/** Sample points within this difference are equally good. */
const sampleTolerance = 0.01;

/** Fewer quanta per bit leave too little for synchronisation. */
const minSharedQuanta = 8;

const clamp = (value: number, { min, max }: Range): number => Math.min(Math.max(value, min), max);

const rateError = (timing: BitTiming, bitrate: number, clockHz: number): number =>
  Math.abs(timingBitrate(timing, clockHz) / bitrate - 1);

const sampleError = (timing: BitTiming, bitrate: number): number =>
  Math.abs(samplePoint(timing) - recommendedSamplePoint(bitrate));

const withPrescaler = (
  phase: TimingPhase,
  bitrate: number,
  prescaler: number,
  clockHz: number,
): BitTiming | undefined => {
  const limits = timingLimits[phase];
  const total = Math.round(clockHz / (bitrate * prescaler));
  // Range of tseg1 that keeps tseg2 within its limits.
  const room = {
    min: Math.max(limits.tseg1.min, total - 1 - limits.tseg2.max),
    max: Math.min(limits.tseg1.max, total - 1 - limits.tseg2.min),
  };
  if (room.min > room.max) return undefined;
  const tseg1 = clamp(Math.round(recommendedSamplePoint(bitrate) * total) - 1, room);
  const tseg2 = total - 1 - tseg1;
  const timing = { prescaler, tseg1, tseg2, sjw: Math.min(tseg2, limits.sjw.max) };
  return rateError(timing, bitrate, clockHz) <= rateTolerance ? timing : undefined;
};

const nearest = (
  timings: readonly BitTiming[],
  error: (timing: BitTiming) => number,
  tolerance: number,
): BitTiming[] => {
  const limit = Math.min(...timings.map(error)) + tolerance;
  return timings.filter((timing) => error(timing) <= limit);
};

const goodTimings = (phase: TimingPhase, bitrate: number, clockHz: number): BitTiming[] => {
  if (!Number.isFinite(bitrate) || bitrate <= 0) return [];
  const { min, max } = timingLimits[phase].prescaler;
  const found: BitTiming[] = [];
  for (let prescaler = min; prescaler <= max; prescaler++) {
    const timing = withPrescaler(phase, bitrate, prescaler, clockHz);
    if (timing) found.push(timing);
  }
  const ofRate = nearest(found, (timing) => rateError(timing, bitrate, clockHz), Number.EPSILON);
  return nearest(ofRate, (timing) => sampleError(timing, bitrate), sampleTolerance);
};

/**
 * Best timing for a rate at CiA's recommended sample point. Rejects a rate that the clock
 * cannot produce.
 */
export const timingFor = (phase: TimingPhase, bitrate: number, clockHz = canClockHz): BitTiming => {
  const [best] = goodTimings(phase, bitrate, clockHz);
  if (best) return best;
  const field = rateField[phase];
  const clock = `${clockHz / 1e6} MHz`;
  throw invalidArgument(field, `${field} ${bitrate} cannot be derived from a clock of ${clock}`, {
    reason: 'no_timing',
    clock_hz: clockHz,
  });
};

/**
 * Good timings for both CAN FD phases. Prefers one prescaler for both: quanta of different
 * length make the phase switch less exact.
 */
export const fdTimingsFor = (
  bitrate: number,
  dataBitrate: number,
  clockHz = canClockHz,
): Readonly<Record<TimingPhase, BitTiming>> => {
  const nominals = goodTimings('nominal', bitrate, clockHz);
  for (const data of goodTimings('data', dataBitrate, clockHz)) {
    const nominal = nominals.find(({ prescaler }) => prescaler === data.prescaler);
    if (nominal && bitQuanta(data) >= minSharedQuanta) return { nominal, data };
  }
  return {
    nominal: timingFor('nominal', bitrate, clockHz),
    data: timingFor('data', dataBitrate, clockHz),
  };
};
