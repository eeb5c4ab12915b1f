import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalText,
  halfOf,
  magnitude,
  negated,
  parseDecimal,
} from '../../base/decimal/decimal.ts';
import { float64Text } from '../../base/decimal/float-text.ts';
import { LinearScale } from '../../base/decimal/linear-scale.ts';
import { toInteger } from '../../database/decimal.ts';
import type { DecimalText, Signal } from '../../database/model.ts';
import {
  greaterOf,
  isFloat,
  lesserOf,
  type RawSpan,
  rawOfWritten,
  rawSpanOf,
} from '../../database/raw-span.ts';
import type { SignalType } from '../project/tables/signals.ts';

/** Scale of a signal in a project, where factor and offset are doubles. */
export interface SignalScale {
  readonly factor: number;
  readonly offset: number;
  readonly linear: LinearScale;
}

const shortest = (value: number) => parseDecimal(String(value)) ?? { coefficient: 0n, exponent: 0 };

/**
 * Returns whether a double represents a text. Integers must be exact; for other values the
 * nearest double suffices.
 */
const isHeld = (text: DecimalText, value: number): boolean =>
  Number.isSafeInteger(value) ||
  !Number.isInteger(value) ||
  Math.abs(value) > 2 ** 64 ||
  toInteger(text) === BigInt(value);

export const scaleOf = (signal: Signal): SignalScale | string => {
  // Adding 0 turns −0 into 0.
  const factor = Number(signal.factor) + 0;
  const offset = Number(signal.offset) + 0;
  if (factor === 0) return 'has the factor 0';
  if (!Number.isFinite(factor) || !Number.isFinite(offset)) {
    return 'has a factor or an offset beyond all doubles';
  }
  if (!isHeld(signal.factor, factor) || !isHeld(signal.offset, offset)) {
    return 'has a factor or an offset that no double holds';
  }
  const linear = new LinearScale(shortest(factor), shortest(offset));
  if (!isFloat(signal)) {
    const { lowest, highest } = rawSpanOf(signal);
    const ends = [linear.textOf(lowest), linear.textOf(highest)].map(Number);
    if (!ends.every(Number.isFinite)) return 'has values beyond all doubles';
  }
  return { factor, offset, linear };
};

const lowestInt64 = -(2n ** 63n);
const highestInt64 = 2n ** 63n - 1n;
const highestUint64 = 2n ** 64n - 1n;

export const typeOf = (signal: Signal, { factor, offset, linear }: SignalScale): SignalType => {
  if (isFloat(signal) || !Number.isInteger(factor) || !Number.isInteger(offset)) return 'float64';
  if (signal.kind === 'unsigned' && signal.length === 1 && linear.isIdentity) return 'bool';
  const { lowest, highest } = rawSpanOf(signal);
  const [one, other] = [BigInt(linear.textOf(lowest)), BigInt(linear.textOf(highest))];
  const [least, max] = one < other ? [one, other] : [other, one];
  if (least >= 0n) return max <= highestUint64 ? 'uint64' : 'float64';
  return least >= lowestInt64 && max <= highestInt64 ? 'int64' : 'float64';
};

/** Raw values that can be sent; omitted where only the bits limit them. */
interface RawLimits {
  readonly raw_min?: string;
  readonly raw_max?: string;
}

/** Returns half of a limit's last decimal place: `100.0` means 99.95 to 100.05. */
const writtenPrecision = (text: DecimalText): Decimal => {
  const [, fraction = '', exponent = '0'] = /^[^.eE]*(?:\.(\d*))?(?:[eE](.*))?$/.exec(text) ?? [];
  return halfOf(decimalOf(1n, Number(exponent) - fraction.length));
};

/**
 * Returns the last raw value within a limit. Files round their limits: 100 for 255 ×
 * 0.39215686275 must allow 255. A raw value is allowed if its value, rounded to the decimal
 * places of the limit, equals the limit.
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

/** Returns the limits in the file; null for `[0|0]`, which means none. */
const physicalLimits = ({ minimum, maximum }: Signal): PhysicalLimits | null => {
  if (minimum === null || maximum === null) return null;
  const [low, high] = [parseDecimal(minimum), parseDecimal(maximum)];
  if (low === null || high === null || compareDecimals(low, high) >= 0) return null;
  return { minimum, maximum, low, high };
};

const sendableRaws = (signal: Signal, scale: SignalScale): RawSpan => {
  const bits = rawSpanOf(signal);
  const limits = physicalLimits(signal);
  if (limits === null) return bits;
  const { minimum, maximum, low, high } = limits;
  const ends = [rawWithin(scale, minimum, low, false), rawWithin(scale, maximum, high, true)];
  const [lowest = 0n, highest = 0n] = scale.factor > 0 ? ends : ends.reverse();
  const span = { lowest: greaterOf(lowest, bits.lowest), highest: lesserOf(highest, bits.highest) };
  // Limits that exclude every value are an error in the file.
  return span.lowest <= span.highest ? span : bits;
};

const integerLimits = (signal: Signal, { lowest, highest }: RawSpan): RawLimits => {
  const bits = rawSpanOf(signal);
  return {
    ...(lowest > bits.lowest ? { raw_min: String(lowest) } : {}),
    ...(highest < bits.highest ? { raw_max: String(highest) } : {}),
  };
};

interface FloatSpan {
  readonly lowest: number;
  readonly highest: number;
}

const unlimited: FloatSpan = {
  lowest: Number.NEGATIVE_INFINITY,
  highest: Number.POSITIVE_INFINITY,
};

/** Returns the float raw values between the floats nearest to the limits. */
const sendableFloats = (signal: Signal, { factor, linear }: SignalScale): FloatSpan => {
  const limits = physicalLimits(signal);
  if (limits === null || !isFloat(signal)) return unlimited;
  const ends = [limits.low, limits.high].map(
    (limit) => linear.rawFloatOf(limit, signal.kind)?.raw ?? 0,
  );
  const [lowest = 0, highest = 0] = factor > 0 ? ends : ends.reverse();
  return lowest <= highest ? { lowest: lowest + 0, highest: highest + 0 } : unlimited;
};

const floatLimits = ({ lowest, highest }: FloatSpan): RawLimits => ({
  ...(Number.isFinite(lowest) ? { raw_min: float64Text(lowest) } : {}),
  ...(Number.isFinite(highest) ? { raw_max: float64Text(highest) } : {}),
});

interface StartValue {
  readonly initial: string;
  readonly limits: RawLimits;
  readonly isBeyondLimits: boolean;
}

const maxTextLength = 40;
const zero = { coefficient: 0n, exponent: 0 };

const valueText = (text: string): string =>
  text.length <= maxTextLength ? text : String(Number(text)).replace('+', '');

const clamped = <N extends number | bigint>(value: N, lowest: N, highest: N): N =>
  value < lowest ? lowest : value > highest ? highest : value;

/**
 * A start value outside the file's limits is still sent: files often start with the raw value
 * for `not available`. The limits are extended to include it.
 */
const integerStart = (signal: Signal, scale: SignalScale): StartValue | string => {
  const span = sendableRaws(signal, scale);
  if (signal.initialRaw === null) {
    const nearest = scale.linear.rawOf(zero)?.raw ?? 0n;
    const raw = clamped(nearest, span.lowest, span.highest);
    const limits = integerLimits(signal, span);
    return { initial: valueText(scale.linear.textOf(raw)), limits, isBeyondLimits: false };
  }
  const written = toInteger(signal.initialRaw);
  const raw = written === null ? null : rawOfWritten(signal, written);
  if (raw === null) return `has the start value ${signal.initialRaw}, which is no raw of its bits`;
  const widened = { lowest: lesserOf(raw, span.lowest), highest: greaterOf(raw, span.highest) };
  return {
    initial: valueText(scale.linear.textOf(raw)),
    limits: integerLimits(signal, widened),
    isBeyondLimits: raw < span.lowest || raw > span.highest,
  };
};

const floatStart = (signal: Signal, scale: SignalScale): StartValue | string => {
  const span = sendableFloats(signal, scale);
  const written = parseDecimal(signal.initialRaw ?? '');
  if (written === null) {
    if (signal.initialRaw !== null) return `has the start value ${signal.initialRaw}`;
    const nearest = scale.linear.rawFloatOf(zero, kindOf(signal))?.raw ?? 0;
    const max = maxOf[kindOf(signal)];
    const raw = clamped(clamped(nearest, span.lowest, span.highest), -max, max) + 0;
    const initial = float64Text(Number(scale.linear.textOfFloat(raw)) + 0);
    return { initial, limits: floatLimits(span), isBeyondLimits: false };
  }
  const { factor, offset } = scale.linear;
  const product = decimalOf(
    written.coefficient * factor.coefficient,
    written.exponent + factor.exponent,
  );
  const value = Number(decimalText(addDecimals(product, offset)));
  const raw = Number(decimalText(written));
  const carried = signal.kind === 'float32' ? Math.fround(raw) : raw;
  if (!Number.isFinite(value) || !Number.isFinite(carried)) {
    return `has the start value ${signal.initialRaw}, which is no ${signal.kind}`;
  }
  const lowest = Math.min(span.lowest, carried);
  const highest = Math.max(span.highest, carried);
  // An integer must be exact on the wire. For other values, the short text means the same
  // float.
  const exact = Number(scale.linear.textOfFloat(carried));
  return {
    initial: float64Text((Number.isInteger(value) ? exact : value) + 0),
    limits: floatLimits({ lowest, highest }),
    isBeyondLimits: lowest < span.lowest || highest > span.highest,
  };
};

/** Largest finite values. With a large offset and a small factor, no raw value is near 0. */
const maxOf = { float32: (2 - 2 ** -23) * 2 ** 127, float64: Number.MAX_VALUE } as const;

const kindOf = ({ kind }: Signal) => (kind === 'float32' ? 'float32' : 'float64');

export const startValueOf = (signal: Signal, scale: SignalScale): StartValue | string =>
  isFloat(signal) ? floatStart(signal, scale) : integerStart(signal, scale);
