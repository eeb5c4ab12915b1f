import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalText,
  halfOf,
  magnitude,
  negated,
  parseDecimal,
} from '../../../src/base/decimal/decimal.ts';
import type { DatabaseSignal } from '../api/schema.ts';
import { floatPattern, integerOf, isFloat, rawRange } from './raw-value.ts';
import { scaleOf } from './scale.ts';

/** What a signal is to be: a physical value, or the raw value behind a label. */
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

const zero: Decimal = { coefficient: 0n, exponent: 0 };

/** The physical value of an integer; zero where the database has no scale for it. */
const physicalAt = (raw: bigint, signal: DatabaseSignal): Decimal =>
  parseDecimal(scaleOf(signal)?.textOf(raw) ?? '') ?? zero;

const difference = (one: Decimal, other: Decimal): Decimal => addDecimals(one, negated(other));

/** The least and the greatest physical value that the bits hold. */
const physicalEnds = (signal: DatabaseSignal): readonly Decimal[] => {
  const { low, high } = rawRange(signal);
  return [physicalAt(low, signal), physicalAt(high, signal)].sort(compareDecimals);
};

/** The limits that the database gives. Files write equal or reversed ones where they mean none. */
const limitsOf = ({ minimum, maximum }: DatabaseSignal) => {
  const low = minimum === null ? null : parseDecimal(minimum);
  const high = maximum === null ? null : parseDecimal(maximum);
  const isNone = low !== null && high !== null && compareDecimals(low, high) >= 0;
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

/** Half of what lies between two raw values; nothing for floats, which have no steps. */
const halfStep = (signal: DatabaseSignal): Decimal => {
  const factor = isFloat(signal) ? null : parseDecimal(signal.factor);
  return factor ? halfOf(magnitude(factor)) : zero;
};

/** Whether a value lies beyond a limit by half a step or more: files round what their bits hold. */
const isBeyond = (over: Decimal, signal: DatabaseSignal): boolean => {
  const margin = halfStep(signal);
  const order = compareDecimals(over, margin);
  return margin.coefficient === 0n ? order > 0 : order >= 0;
};

const isOutside = (physical: Decimal, signal: DatabaseSignal): boolean => {
  const { low, high } = limitsOf(signal);
  return (
    (low !== null && isBeyond(difference(low, physical), signal)) ||
    (high !== null && isBeyond(difference(physical, high), signal))
  );
};

/**
 * The raw value to send for one that the bits do not hold: the last one that they do where the limit
 * of the database was rounded to less than a step beyond it.
 */
const heldRaw = (signal: DatabaseSignal, physical: Decimal, nearest: bigint): bigint | null => {
  const { low, high } = rawRange(signal);
  if (nearest >= low && nearest <= high) return nearest;
  const end = nearest < low ? low : high;
  const over = difference(physical, physicalAt(end, signal));
  const { low: minimum, high: maximum } = limitsOf(signal);
  const isLimited = (over.coefficient > 0n ? maximum : minimum) !== null;
  const step = difference(physicalAt(1n, signal), physicalAt(0n, signal));
  const isNear = compareDecimals(magnitude(over), magnitude(step)) < 0;
  return isLimited && isNear && !isOutside(physical, signal) ? end : null;
};

const warningOf = (signal: DatabaseSignal, wanted: Decimal, sent: Decimal | null) => {
  if (isOutside(wanted, signal)) return `Outside ${limitsText(signal)}`;
  return sent && compareDecimals(wanted, sent) !== 0 ? `Sent as ${decimalText(sent)}` : null;
};

const encodeFloat = (signal: DatabaseSignal, physical: Decimal): EncodedSignal => {
  const kind = signal.kind === 'float32' ? 'float32' : 'float64';
  const value = scaleOf(signal)?.rawFloatOf(physical, kind)?.raw;
  if (value === undefined) return refused('Has the factor 0');
  if (!Number.isFinite(value)) return refused(`Too large for ${signal.kind}`);
  const pattern = floatPattern(signal, value);
  return { pattern, raw: String(value), problem: null, warning: warningOf(signal, physical, null) };
};

const encodeInteger = (signal: DatabaseSignal, physical: Decimal): EncodedSignal => {
  const nearest = scaleOf(signal)?.rawOf(physical)?.raw;
  if (nearest === undefined) return refused('Has the factor 0');
  const raw = heldRaw(signal, physical, nearest);
  if (raw === null) {
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
  const physical = parseDecimal(text.trim());
  if (!physical) return refused('Must be a decimal number');
  return isFloat(signal) ? encodeFloat(signal, physical) : encodeInteger(signal, physical);
};

/** What a signal starts with: the raw value 0, or the limit that is nearest to it. */
export const initialInput = (signal: DatabaseSignal): SignalInput => {
  if (signal.values.some(({ raw }) => raw === '0')) return { as: 'raw', text: '0' };
  const start = physicalAt(0n, signal);
  if (!isOutside(start, signal)) return { as: 'physical', text: decimalText(start) };
  const { low, high } = limitsOf(signal);
  const isBelow = low !== null && compareDecimals(start, low) < 0;
  return { as: 'physical', text: decimalText((isBelow ? low : high) ?? start) };
};
