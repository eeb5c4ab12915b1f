import { BusbarError } from '../../base/errors/busbar-error.ts';
import {
  checkTiming,
  type Range,
  recommendedSamplePoint,
  samplePoint,
  type TimingPhase,
  timingBitrate,
} from '../../frame/bit-timing.ts';
import type { BitTiming } from '../../frame/bit-timing-record.ts';
import { hexByte } from '../../frame/hex-bytes.ts';
import { timingFor } from '../../frame/timing-search.ts';
import { unsupportedByHardware } from '../refusals.ts';
import type { SlcanProfile } from './slcan-profile.ts';

export interface Rate {
  readonly bitrate: number;
  readonly command: string;
  /** Undefined if the device uses its own timing. */
  readonly timing: BitTiming | undefined;
}

const nominalCodes = new Map([
  [10_000, 0],
  [20_000, 1],
  [50_000, 2],
  [100_000, 3],
  [125_000, 4],
  [250_000, 5],
  [500_000, 6],
  [800_000, 7],
  [1_000_000, 8],
]);
/** `S7` is 750 kbit/s on a CANable, which does not identify itself. */
const ambiguousRate = 800_000;

const dataCodes = new Map([
  [500_000, 0],
  [1_000_000, 1],
  [2_000_000, 2],
  [4_000_000, 4],
  [5_000_000, 5],
  [8_000_000, 8],
]);
/** Supported by all CANable 2 releases. */
const commonDataRates = new Set([2_000_000, 5_000_000]);

const field = { nominal: 'bitrate', data: 'data_bitrate' } as const;
const letters = { nominal: { code: 'S', custom: 's' }, data: { code: 'Y', custom: 'y' } } as const;

type Limits = Readonly<Record<keyof BitTiming, Range>>;

const btrLimits: Limits = {
  prescaler: { min: 1, max: 64 },
  tseg1: { min: 1, max: 16 },
  tseg2: { min: 1, max: 8 },
  sjw: { min: 1, max: 4 },
};
const segmentLimits: Readonly<Record<TimingPhase, Limits>> = {
  nominal: {
    prescaler: { min: 1, max: 255 },
    tseg1: { min: 1, max: 255 },
    tseg2: { min: 1, max: 128 },
    sjw: { min: 1, max: 128 },
  },
  data: {
    prescaler: { min: 1, max: 32 },
    tseg1: { min: 1, max: 32 },
    tseg2: { min: 1, max: 16 },
    sjw: { min: 1, max: 16 },
  },
};

const codesOf = (
  { acknowledges }: SlcanProfile,
  phase: TimingPhase,
): ReadonlyMap<number, number> => {
  const codes = phase === 'nominal' ? nominalCodes : dataCodes;
  if (acknowledges) return codes;
  const isCertain = (rate: number): boolean =>
    phase === 'nominal' ? rate !== ambiguousRate : commonDataRates.has(rate);
  return new Map([...codes].filter(([rate]) => isCertain(rate)));
};

export const rateRange = (profile: SlcanProfile, phase: TimingPhase): Range => {
  const rates = [...codesOf(profile, phase).keys()];
  return { min: Math.min(...rates), max: Math.max(...rates) };
};

/** BTR0 and BTR1 of an SJA1000. */
const btr = ({ prescaler, tseg1, tseg2, sjw }: BitTiming): string =>
  hexByte(((sjw - 1) << 6) | (prescaler - 1)) + hexByte(((tseg2 - 1) << 4) | (tseg1 - 1));

const segments = ({ prescaler, tseg1, tseg2, sjw }: BitTiming): string =>
  [prescaler, tseg1, tseg2, sjw].map(hexByte).join('');

const limitsOf = (form: 'btr' | 'segments', phase: TimingPhase): Limits =>
  form === 'btr' ? btrLimits : segmentLimits[phase];

const partBeyond = (timing: BitTiming, limits: Limits): keyof BitTiming | undefined =>
  (Object.keys(limits) as (keyof BitTiming)[]).find(
    (part) => timing[part] < limits[part].min || timing[part] > limits[part].max,
  );

export const rateOfTiming = (
  profile: SlcanProfile,
  phase: TimingPhase,
  timing: BitTiming,
): Rate => {
  checkTiming(phase, timing);
  const setting = `timing.${phase}`;
  const { timing: known } = profile;
  if (!known || (known.form === 'btr' && phase === 'data')) {
    throw unsupportedByHardware('timing', 'This firmware does not support custom bit timing');
  }
  const limits = limitsOf(known.form, phase);
  const part = partBeyond(timing, limits);
  if (part) {
    const { min, max } = limits[part];
    const message = `${setting}.${part} must be from ${min} to ${max} on this device`;
    throw unsupportedByHardware(`${setting}.${part}`, message, { min, max });
  }
  const bitrate = timingBitrate(timing, known.clockHz);
  const range = rateRange(profile, phase);
  if (bitrate < range.min || bitrate > range.max) {
    const message = `${setting} gives ${Math.round(bitrate)} bit/s, which is outside ${range.min} to ${range.max}`;
    throw unsupportedByHardware(setting, message, { min: range.min, max: range.max });
  }
  const coded = known.form === 'btr' ? btr(timing) : segments(timing);
  return { bitrate, command: letters[phase].custom + coded, timing };
};

const rateTolerance = 0.001;
const maxBtrQuanta = 25;
const minBtrQuanta = 8;

const sampleError = (timing: BitTiming, bitrate: number): number =>
  Math.abs(samplePoint(timing) - recommendedSamplePoint(bitrate));

/** SJA1000 timing nearest to CiA's sample point, finest quanta first. */
const btrTimingFor = (bitrate: number, clockHz: number): BitTiming | undefined => {
  let best: BitTiming | undefined;
  for (let prescaler = 1; prescaler <= btrLimits.prescaler.max; prescaler++) {
    const quanta = Math.round(clockHz / (bitrate * prescaler));
    if (quanta > maxBtrQuanta || quanta < minBtrQuanta) continue;
    if (Math.abs(clockHz / (prescaler * quanta * bitrate) - 1) > rateTolerance) continue;
    const recommended = Math.round(recommendedSamplePoint(bitrate) * quanta) - 1;
    const tseg1 = Math.min(recommended, btrLimits.tseg1.max, quanta - 2);
    const timing = { prescaler, tseg1, tseg2: quanta - 1 - tseg1, sjw: 1 };
    if (partBeyond(timing, btrLimits)) continue;
    if (!best || sampleError(timing, bitrate) < sampleError(best, bitrate)) best = timing;
  }
  return best;
};

const customTiming = (
  { timing }: SlcanProfile,
  phase: TimingPhase,
  bitrate: number,
): BitTiming | undefined => {
  if (!timing) return undefined;
  const { form, clockHz } = timing;
  if (form === 'btr') return phase === 'nominal' ? btrTimingFor(bitrate, clockHz) : undefined;
  try {
    const found = timingFor(phase, bitrate, clockHz);
    return partBeyond(found, segmentLimits[phase]) ? undefined : found;
  } catch (thrown) {
    if (thrown instanceof BusbarError) return undefined;
    throw thrown;
  }
};

export const rateOfBitrate = (profile: SlcanProfile, phase: TimingPhase, bitrate: number): Rate => {
  const setting = field[phase];
  const codes = codesOf(profile, phase);
  const code = codes.get(bitrate);
  if (code !== undefined) {
    return { bitrate, command: `${letters[phase].code}${code}`, timing: undefined };
  }
  const { min, max } = rateRange(profile, phase);
  const timing =
    bitrate >= min && bitrate <= max ? customTiming(profile, phase, bitrate) : undefined;
  if (timing) return { ...rateOfTiming(profile, phase, timing), bitrate, timing: undefined };
  const allowed = [...codes.keys()];
  const message = `${setting} ${bitrate} is not supported by this device; supported: ${allowed.join(', ')}`;
  throw unsupportedByHardware(setting, message, { allowed, min, max });
};
