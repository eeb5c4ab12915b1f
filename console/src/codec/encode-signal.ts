import {
  compareDecimals,
  type Decimal,
  decimalText,
  parseDecimal,
} from '../../../src/base/decimal/decimal.ts';
import type { FloatKind } from '../../../src/base/decimal/nearest-float.ts';
import { arrayTextRule, rawOfArrayText } from '../../../src/database/array-text.ts';
import type { ArrayText } from '../../../src/database/model.ts';
import { isFloat, lesserOf, rawOfWritten, rawSpanOf } from '../../../src/database/raw-span.ts';
import { heldRaw, ValueLimits } from '../../../src/database/value-limits.ts';
import type { DatabaseSignal } from '../api/client.ts';
import { floatPattern, integerOf, physicalOf, rangesOf, scaleOf } from './raw-value.ts';

export interface SignalInput {
  readonly as: 'physical' | 'raw';
  readonly text: string;
}

export interface EncodedSignal {
  readonly pattern: bigint | null;
  readonly raw: string;
  readonly problem: string | null;
  /** Set for a value that is encoded, but not exactly. */
  readonly warning: string | null;
}

const refused = (problem: string): EncodedSignal => ({
  pattern: null,
  raw: '',
  problem,
  warning: null,
});

const zero: Decimal = { coefficient: 0n, exponent: 0 };

const physicalAt = (raw: bigint, signal: DatabaseSignal): Decimal =>
  scaleOf(signal)?.physicalOf(raw) ?? zero;

const physicalEnds = (signal: DatabaseSignal): readonly Decimal[] => {
  const { lowest, highest } = rawSpanOf(signal);
  return [physicalAt(lowest, signal), physicalAt(highest, signal)].sort(compareDecimals);
};

const limitOf = (text: string | null): Decimal | null =>
  text === null ? null : parseDecimal(text);

export const limitsOf = ({ kind, factor, minimum, maximum }: DatabaseSignal): ValueLimits =>
  new ValueLimits({
    kind,
    factor: parseDecimal(factor) ?? zero,
    minimum: limitOf(minimum),
    maximum: limitOf(maximum),
  });

export const limitsText = (signal: DatabaseSignal): string | null => {
  if (signal.array !== null) return arrayTextRule(signal.length, signal.array);
  const { minimum, maximum } = limitsOf(signal);
  if (minimum || maximum) {
    return `${minimum ? decimalText(minimum) : ''} … ${maximum ? decimalText(maximum) : ''}`;
  }
  if (isFloat(signal)) return null;
  return physicalEnds(signal).map(decimalText).join(' … ');
};

const isOutside = (physical: Decimal, signal: DatabaseSignal): boolean =>
  !limitsOf(signal).include(decimalText(physical));

const warningOf = (signal: DatabaseSignal, wanted: Decimal, sent: Decimal | null) => {
  if (isOutside(wanted, signal)) return `Outside the range ${limitsText(signal)}`;
  return sent && compareDecimals(wanted, sent) !== 0 ? `Rounded to ${decimalText(sent)}` : null;
};

const encodeFloat = (
  signal: DatabaseSignal & { readonly kind: FloatKind },
  physical: Decimal,
): EncodedSignal => {
  const value = scaleOf(signal)?.rawFloatOf(physical, signal.kind)?.raw;
  if (value === undefined) return refused('Factor is 0');
  if (!Number.isFinite(value)) return refused(`Too large for ${signal.kind}`);
  const pattern = floatPattern(signal, value);
  return { pattern, raw: String(value), problem: null, warning: warningOf(signal, physical, null) };
};

const encodedInteger = (signal: DatabaseSignal, raw: bigint, warning: string | null) => ({
  pattern: BigInt.asUintN(signal.length, raw),
  raw: raw.toString(),
  problem: null,
  warning,
});

const encodeArray = (signal: DatabaseSignal, array: ArrayText, text: string): EncodedSignal => {
  const raw = rawOfArrayText(text, signal.length, array);
  if (raw === null) return refused(`Must be ${arrayTextRule(signal.length, array)}`);
  return encodedInteger(signal, raw, null);
};

const encodeInteger = (signal: DatabaseSignal, physical: Decimal): EncodedSignal => {
  const ranges = rangesOf(signal);
  if (ranges) {
    const inRange = ranges.rawOf(physical);
    if (inRange === null) return refused('Outside the ranges of its encoding');
    return encodedInteger(signal, inRange.raw, inRange.exact ? null : 'Rounded');
  }
  const scale = scaleOf(signal);
  const nearest = scale?.rawOf(physical)?.raw;
  if (!scale || nearest === undefined) return refused('Factor is 0');
  const raw = heldRaw(rawSpanOf(signal), scale, limitsOf(signal), physical, nearest);
  if (raw === null) {
    const ends = physicalEnds(signal).map(decimalText);
    return refused(`${signal.length} bits hold ${ends.join(' to ')}`);
  }
  return encodedInteger(signal, raw, warningOf(signal, physical, scale.physicalOf(raw)));
};

const encodeRaw = (signal: DatabaseSignal, text: string): EncodedSignal => {
  const written = BigInt(text);
  if (isFloat(signal)) {
    const pattern = floatPattern(signal, Number(written));
    return { pattern, raw: text, problem: null, warning: null };
  }
  const raw = rawOfWritten(signal, written);
  if (raw === null) return refused(`Exceeds ${signal.length} bits`);
  return encodedInteger(signal, raw, null);
};

/** Encodes a value as the nearest raw value, with a warning if it is rounded. */
export const encodeSignal = (signal: DatabaseSignal, { as, text }: SignalInput): EncodedSignal => {
  if (as === 'raw') return encodeRaw(signal, text);
  if (signal.array !== null) return encodeArray(signal, signal.array, text);
  const physical = parseDecimal(text.trim());
  if (!physical) return refused('Must be a decimal number');
  return isFloat(signal) ? encodeFloat(signal, physical) : encodeInteger(signal, physical);
};

const allOnes = (signal: DatabaseSignal): bigint => integerOf(signal, (1n << 64n) - 1n);

const lowestAllowed = (signal: DatabaseSignal): bigint => {
  const { minimum } = limitsOf(signal);
  if (!isOutside(physicalAt(0n, signal), signal) || signal.ranges !== null) return 0n;
  const nearest = scaleOf(signal)?.rawOf(minimum ?? zero)?.raw ?? 0n;
  const { lowest, highest } = rawSpanOf(signal);
  return nearest < lowest ? lowest : lesserOf(nearest, highest);
};

/** The value as it is entered: a label if there is one. */
const inputOfRaw = (signal: DatabaseSignal, raw: bigint): SignalInput => {
  const labelled = signal.values.find((each) => rawOfWritten(signal, BigInt(each.raw)) === raw);
  if (labelled) return { as: 'raw', text: labelled.raw };
  const { value } = physicalOf(signal, raw);
  return value === null ? { as: 'raw', text: raw.toString() } : { as: 'physical', text: value };
};

const startOf = (signal: DatabaseSignal): Decimal | null =>
  signal.start_value === null ? null : parseDecimal(signal.start_value);

/**
 * Value of a signal that the sender does not name, as the service chooses it. In J1939, its bits
 * are 1 (not available), which no input stands for.
 */
export const initialValue = (
  signal: DatabaseSignal,
  isJ1939: boolean,
): { readonly input: SignalInput; readonly encoded: EncodedSignal } => {
  const start = startOf(signal);
  if (start === null && isJ1939) {
    const encoded = isFloat(signal)
      ? { ...refused(''), problem: null, pattern: BigInt.asUintN(signal.length, -1n), raw: 'NaN' }
      : encodedInteger(signal, allOnes(signal), null);
    return { input: { as: 'physical', text: '' }, encoded };
  }
  if (isFloat(signal)) {
    const number = start ? Number(decimalText(start)) : initialFloat(signal);
    const input = { as: 'physical', text: floatText(signal, number) } as const;
    return { input, encoded: { ...encodeSignal(signal, input), warning: null } };
  }
  const written = start && start.exponent >= 0 ? BigInt(decimalText(start)) : null;
  const held = written === null ? null : rawOfWritten(signal, written);
  const raw = held ?? lowestAllowed(signal);
  return { input: inputOfRaw(signal, raw), encoded: encodedInteger(signal, raw, null) };
};

const initialFloat = (signal: DatabaseSignal & { readonly kind: FloatKind }): number => {
  if (!isOutside(physicalAt(0n, signal), signal)) return 0;
  return scaleOf(signal)?.rawFloatOf(limitsOf(signal).minimum ?? zero, signal.kind)?.raw ?? 0;
};

const floatText = (signal: DatabaseSignal, raw: number): string =>
  scaleOf(signal)?.textOfFloat(raw) ?? String(raw);
