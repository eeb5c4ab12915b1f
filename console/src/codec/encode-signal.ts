import {
  compareDecimals,
  type Decimal,
  decimalText,
  parseDecimal,
} from '../../../src/base/decimal/decimal.ts';
import type { FloatKind } from '../../../src/base/decimal/nearest-float.ts';
import { isFloat, rawOfWritten, rawSpanOf } from '../../../src/database/raw-span.ts';
import { heldRaw, ValueLimits } from '../../../src/database/value-limits.ts';
import type { DatabaseSignal } from '../api/client.ts';
import { floatPattern, scaleOf } from './raw-value.ts';

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

const limitsOf = ({ kind, factor, minimum, maximum }: DatabaseSignal): ValueLimits =>
  new ValueLimits({
    kind,
    factor: parseDecimal(factor) ?? zero,
    minimum: limitOf(minimum),
    maximum: limitOf(maximum),
  });

export const limitsText = (signal: DatabaseSignal): string | null => {
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

const encodeInteger = (signal: DatabaseSignal, physical: Decimal): EncodedSignal => {
  const scale = scaleOf(signal);
  const nearest = scale?.rawOf(physical)?.raw;
  if (!scale || nearest === undefined) return refused('Factor is 0');
  const raw = heldRaw(rawSpanOf(signal), scale, limitsOf(signal), physical, nearest);
  if (raw === null) {
    const ends = physicalEnds(signal).map(decimalText);
    return refused(`${signal.length} bits hold ${ends.join(' to ')}`);
  }
  return {
    pattern: BigInt.asUintN(signal.length, raw),
    raw: raw.toString(),
    problem: null,
    warning: warningOf(signal, physical, scale.physicalOf(raw)),
  };
};

const encodeRaw = (signal: DatabaseSignal, text: string): EncodedSignal => {
  const written = BigInt(text);
  if (isFloat(signal)) {
    const pattern = floatPattern(signal, Number(written));
    return { pattern, raw: text, problem: null, warning: null };
  }
  const raw = rawOfWritten(signal, written);
  if (raw === null) return refused(`Exceeds ${signal.length} bits`);
  const pattern = BigInt.asUintN(signal.length, raw);
  return { pattern, raw: raw.toString(), problem: null, warning: null };
};

/** Encodes a value as the nearest raw value, with a warning if it is rounded. */
export const encodeSignal = (signal: DatabaseSignal, { as, text }: SignalInput): EncodedSignal => {
  if (as === 'raw') return encodeRaw(signal, text);
  const physical = parseDecimal(text.trim());
  if (!physical) return refused('Must be a decimal number');
  return isFloat(signal) ? encodeFloat(signal, physical) : encodeInteger(signal, physical);
};

export const initialInput = (signal: DatabaseSignal): SignalInput => {
  if (signal.values.some(({ raw }) => raw === '0')) return { as: 'raw', text: '0' };
  const start = physicalAt(0n, signal);
  if (!isOutside(start, signal)) return { as: 'physical', text: decimalText(start) };
  const { minimum, maximum } = limitsOf(signal);
  const isBelow = minimum !== null && compareDecimals(start, minimum) < 0;
  return { as: 'physical', text: decimalText((isBelow ? minimum : maximum) ?? start) };
};
