import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalOf,
  halfOf,
  magnitude,
  negated,
  parseDecimal,
} from '../../base/decimal/decimal.ts';
import { float64Text } from '../../base/decimal/float-text.ts';
import type { DecimalText, Signal } from '../../database/model.ts';
import { greaterOf, isFloat, lesserOf, type RawSpan, rawSpanOf } from '../../database/raw-span.ts';
import type { SignalScale } from './signal-scale.ts';

/** Raws that may be sent; an end is left out where the bits are the limit. */
export interface RawLimits {
  readonly raw_min?: string;
  readonly raw_max?: string;
}

/** Half of the last place that a limit is written with: `100.0` stands for 99.95 to 100.05. */
const writtenPrecision = (text: DecimalText): Decimal => {
  const [, fraction = '', exponent = '0'] = /^[^.eE]*(?:\.(\d*))?(?:[eE](.*))?$/.exec(text) ?? [];
  return halfOf(decimalOf(1n, Number(exponent) - fraction.length));
};

/**
 * The last raw within a limit. Files round their limits: of 255 × 0.39215686275 they say 100, and
 * 100 must be a value that can be sent. So the nearest raw counts as within if its value, written
 * with the places of the limit, is the limit.
 */
const rawWithin = (
  { linear }: SignalScale,
  text: DecimalText,
  limit: Decimal,
  isUpper: boolean,
): bigint => {
  const nearest = linear.rawOf(limit)?.raw ?? 0n;
  const value = parseDecimal(linear.textOf(nearest)) ?? limit;
  const beyond = addDecimals(value, negated(limit));
  if (compareDecimals(magnitude(beyond), writtenPrecision(text)) <= 0) return nearest;
  const isWithin = isUpper ? beyond.coefficient <= 0n : beyond.coefficient >= 0n;
  if (isWithin) return nearest;
  return isUpper === linear.factor.coefficient > 0n ? nearest - 1n : nearest + 1n;
};

interface PhysicalLimits {
  readonly minimum: DecimalText;
  readonly maximum: DecimalText;
  readonly low: Decimal;
  readonly high: Decimal;
}

/** The limits of the file; null where they say nothing: it writes `[0|0]` where there are none. */
const physicalLimits = ({ minimum, maximum }: Signal): PhysicalLimits | null => {
  if (minimum === null || maximum === null) return null;
  const [low, high] = [parseDecimal(minimum), parseDecimal(maximum)];
  if (low === null || high === null || compareDecimals(low, high) >= 0) return null;
  return { minimum, maximum, low, high };
};

/** The raws of an integer that may be sent: those within its bits and the limits of the file. */
export const sendableRaws = (signal: Signal, scale: SignalScale): RawSpan => {
  const bits = rawSpanOf(signal);
  const limits = physicalLimits(signal);
  if (limits === null) return bits;
  const { minimum, maximum, low, high } = limits;
  const ends = [rawWithin(scale, minimum, low, false), rawWithin(scale, maximum, high, true)];
  const [lowest = 0n, highest = 0n] = scale.factor > 0 ? ends : ends.reverse();
  const span = {
    lowest: greaterOf(lowest, bits.lowest),
    highest: lesserOf(highest, bits.highest),
  };
  // Limits that leave nothing to send are a mistake of the file.
  return span.lowest <= span.highest ? span : bits;
};

/** A span as the fields of a codec have it. */
export const integerLimits = (signal: Signal, { lowest, highest }: RawSpan): RawLimits => {
  const bits = rawSpanOf(signal);
  return {
    ...(lowest > bits.lowest ? { raw_min: String(lowest) } : {}),
    ...(highest < bits.highest ? { raw_max: String(highest) } : {}),
  };
};

/** Floats that may be sent, as numbers; infinite where there is no limit. */
export interface FloatSpan {
  readonly lowest: number;
  readonly highest: number;
}

const unlimited: FloatSpan = {
  lowest: Number.NEGATIVE_INFINITY,
  highest: Number.POSITIVE_INFINITY,
};

/** The raws of a float that may be sent: the floats nearest to the limits, which can be sent too. */
export const sendableFloats = (signal: Signal, { factor, linear }: SignalScale): FloatSpan => {
  const limits = physicalLimits(signal);
  if (limits === null || !isFloat(signal)) return unlimited;
  const ends = [limits.low, limits.high].map(
    (limit) => linear.rawFloatOf(limit, signal.kind)?.raw ?? 0,
  );
  const [lowest = 0, highest = 0] = factor > 0 ? ends : ends.reverse();
  return lowest <= highest ? { lowest: lowest + 0, highest: highest + 0 } : unlimited;
};

/** A span of floats as the fields of a codec have it. */
export const floatLimits = ({ lowest, highest }: FloatSpan): RawLimits => ({
  ...(Number.isFinite(lowest) ? { raw_min: float64Text(lowest) } : {}),
  ...(Number.isFinite(highest) ? { raw_max: float64Text(highest) } : {}),
});
