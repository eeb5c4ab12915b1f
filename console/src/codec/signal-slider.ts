import { compareDecimals, decimalText } from '../../../src/base/decimal/decimal.ts';
import type { LinearScale } from '../../../src/base/decimal/linear-scale.ts';
import { greaterOf, isFloat, lesserOf, rawSpanOf } from '../../../src/database/raw-span.ts';
import type { DatabaseSignal } from '../api/client.ts';
import { limitsOf } from './encode-signal.ts';
import { scaleOf } from './raw-value.ts';

/** Positions of a slider from 0 to `steps`; each is a value that the signal can have. */
export interface SignalSlider {
  readonly steps: number;
  textAt(position: number): string;
  positionOf(raw: string): number;
}

/** Finer than a pointer moves. */
const maxSteps = 1000;

const floatSlider = (signal: DatabaseSignal): SignalSlider | null => {
  const { minimum, maximum } = limitsOf(signal);
  const scale = scaleOf(signal);
  if (!minimum || !maximum || !scale) return null;
  const [low, high] = [Number(decimalText(minimum)), Number(decimalText(maximum))];
  return {
    steps: maxSteps,
    textAt: (position) =>
      String(Number((low + ((high - low) * position) / maxSteps).toPrecision(6))),
    positionOf: (raw) =>
      Math.round(((scale.nearestOfFloat(Number(raw)) - low) / (high - low)) * maxSteps),
  };
};

type Range = NonNullable<DatabaseSignal['ranges']>[number];

const spanOf = ({ from, to }: Range): bigint => BigInt(to) - BigInt(from);

/** Over the widest range; the others have the text field. */
const rangeSlider = (ranges: readonly Range[]): SignalSlider | null => {
  const [first, ...others] = ranges;
  if (!first) return null;
  const widest = others.reduce((one, other) => (spanOf(other) > spanOf(one) ? other : one), first);
  const scale = scaleOf(widest);
  if (!scale || scale.factor.coefficient === 0n) return null;
  const [low, high] = [BigInt(widest.from), BigInt(widest.to)];
  const isRising = scale.factor.coefficient > 0n;
  return integerSlider(scale, isRising ? low : high, isRising ? high : low);
};

/** Null if the signal has no range, values of another kind, or a label for each value. */
export const sliderOf = (signal: DatabaseSignal): SignalSlider | null => {
  if (signal.array !== null) return null;
  const slider = sliderOver(signal);
  return slider && signal.values.length > slider.steps ? null : slider;
};

const sliderOver = (signal: DatabaseSignal): SignalSlider | null => {
  if (signal.ranges !== null) return rangeSlider(signal.ranges);
  if (isFloat(signal)) return floatSlider(signal);
  const scale = scaleOf(signal);
  if (!scale || scale.factor.coefficient === 0n) return null;
  const { lowest, highest } = rawSpanOf(signal);
  const { minimum, maximum } = limitsOf(signal);
  const isRising = scale.factor.coefficient > 0n;
  const rawOf = (limit: typeof minimum, end: bigint): bigint => {
    const raw = limit ? (scale.rawOf(limit)?.raw ?? end) : end;
    return greaterOf(lowest, lesserOf(highest, raw));
  };
  const from = rawOf(minimum, isRising ? lowest : highest);
  const to = rawOf(maximum, isRising ? highest : lowest);
  return integerSlider(scale, from, to);
};

const integerSlider = (scale: LinearScale, from: bigint, to: bigint): SignalSlider | null => {
  const span = to > from ? to - from : from - to;
  if (span === 0n || compareDecimals(scale.physicalOf(from), scale.physicalOf(to)) >= 0)
    return null;
  const steps = Number(lesserOf(span, BigInt(maxSteps)));
  return {
    steps,
    textAt: (position) => scale.textOf(from + ((to - from) * BigInt(position)) / BigInt(steps)),
    positionOf: (raw) => {
      const share = ((BigInt(raw) - from) * BigInt(steps)) / (to - from);
      return Math.min(steps, Math.max(0, Number(share)));
    },
  };
};
