import type { DatabaseSignal } from '../api/schema.ts';
import {
  compareDecimals,
  type Decimal,
  decimalText,
  integerDecimal,
  parseDecimal,
} from './decimal.ts';
import { floatPattern, integerOf, isFloat, rawRange } from './raw-value.ts';
import { nearestDouble, nearestInteger, nearestSingle, physicalOf, rawQuotient } from './scale.ts';

/** What somebody wants a signal to be: a physical value, or the raw value behind a label. */
export interface SignalInput {
  readonly as: 'physical' | 'raw';
  readonly text: string;
}

export interface EncodedSignal {
  /** The bits as an unsigned integer; null if the input cannot be encoded. */
  readonly pattern: bigint | null;
  /** The raw value in decimal. */
  readonly raw: string;
  readonly problem: string | null;
  /** What to know about a value that is encoded all the same. */
  readonly warning: string | null;
}

const refused = (problem: string): EncodedSignal => ({
  pattern: null,
  raw: '',
  problem,
  warning: null,
});

/** The physical value of an integer; zero where the database has no scale for it. */
const physicalAt = (raw: bigint, signal: DatabaseSignal): Decimal =>
  physicalOf(integerDecimal(raw), signal) ?? integerDecimal(0n);

/** The least and the greatest physical value that the bits hold. */
const physicalEnds = (signal: DatabaseSignal): readonly Decimal[] => {
  const { low, high } = rawRange(signal);
  return [physicalAt(low, signal), physicalAt(high, signal)].sort(compareDecimals);
};

/** The limits that the database gives. Files write two equal ones where they mean none. */
const limitsOf = ({ minimum, maximum }: DatabaseSignal) => {
  const low = minimum === null ? null : parseDecimal(minimum);
  const high = maximum === null ? null : parseDecimal(maximum);
  const isNone = low !== null && high !== null && compareDecimals(low, high) === 0;
  return isNone ? { low: null, high: null } : { low, high };
};

/** The physical values that bits and limits allow, in words; null where nothing limits them. */
export const limitsText = (signal: DatabaseSignal): string | null => {
  const given = limitsOf(signal);
  if (given.low || given.high) {
    return `${given.low ? decimalText(given.low) : ''} … ${given.high ? decimalText(given.high) : ''}`;
  }
  if (isFloat(signal)) return null;
  return physicalEnds(signal).map(decimalText).join(' … ');
};

const isOutside = (physical: Decimal, signal: DatabaseSignal): boolean => {
  const { low, high } = limitsOf(signal);
  return (
    (low !== null && compareDecimals(physical, low) < 0) ||
    (high !== null && compareDecimals(physical, high) > 0)
  );
};

const warningOf = (signal: DatabaseSignal, wanted: Decimal, sent: Decimal | null) => {
  if (isOutside(wanted, signal)) return `Outside ${limitsText(signal)}`;
  return sent && compareDecimals(wanted, sent) !== 0 ? `Sent as ${decimalText(sent)}` : null;
};

const encodeFloat = (signal: DatabaseSignal, physical: Decimal): EncodedSignal => {
  const quotient = rawQuotient(physical, signal);
  if (!quotient) return refused('Has the factor 0');
  const value = signal.kind === 'float32' ? nearestSingle(quotient) : nearestDouble(quotient);
  if (!Number.isFinite(value)) return refused(`Too large for ${signal.kind}`);
  const pattern = floatPattern(signal, value);
  return { pattern, raw: String(value), problem: null, warning: warningOf(signal, physical, null) };
};

const encodeInteger = (signal: DatabaseSignal, physical: Decimal): EncodedSignal => {
  const quotient = rawQuotient(physical, signal);
  if (!quotient) return refused('Has the factor 0');
  const raw = nearestInteger(quotient);
  const { low, high } = rawRange(signal);
  if (raw < low || raw > high) {
    const ends = physicalEnds(signal).map(decimalText);
    return refused(`Its ${signal.length} bits hold ${ends.join(' to ')}`);
  }
  return {
    pattern: BigInt.asUintN(signal.length, raw),
    raw: raw.toString(),
    problem: null,
    warning: warningOf(signal, physical, physicalAt(raw, signal)),
  };
};

/** A labelled raw value; files write −1 of a signed signal of 8 bits as −1 or as 255. */
const encodeRaw = (signal: DatabaseSignal, text: string): EncodedSignal => {
  const raw = BigInt(text);
  if (isFloat(signal)) {
    return { pattern: floatPattern(signal, Number(raw)), raw: text, problem: null, warning: null };
  }
  const values = 1n << BigInt(signal.length);
  if (raw < -values / 2n || raw >= values) return refused(`Has ${signal.length} bits only`);
  const pattern = BigInt.asUintN(signal.length, raw);
  const shown = integerOf(signal, raw).toString();
  return { pattern, raw: shown, problem: null, warning: null };
};

/** The bits that stand for a value; the nearest raw value is taken, and said where it is another. */
export const encodeSignal = (signal: DatabaseSignal, { as, text }: SignalInput): EncodedSignal => {
  if (as === 'raw') return encodeRaw(signal, text);
  const physical = parseDecimal(text);
  if (!physical) return refused('Must be a decimal number');
  return isFloat(signal) ? encodeFloat(signal, physical) : encodeInteger(signal, physical);
};

/** What a signal starts with: the raw value 0, or the limit that is nearest to it. */
export const initialInput = (signal: DatabaseSignal): SignalInput => {
  if (signal.values.some(({ raw }) => raw === '0')) return { as: 'raw', text: '0' };
  const zero = physicalAt(0n, signal);
  if (!isOutside(zero, signal)) return { as: 'physical', text: decimalText(zero) };
  const { low, high } = limitsOf(signal);
  const isBelow = low !== null && compareDecimals(zero, low) < 0;
  return { as: 'physical', text: decimalText((isBelow ? low : high) ?? zero) };
};
