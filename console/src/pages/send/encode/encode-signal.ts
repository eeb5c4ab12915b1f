import type { DatabaseSignal } from '../../../api/schema.ts';
import { compareDecimals, type Decimal, decimalText, parseDecimal } from './decimal.ts';
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

const isFloat = ({ kind }: DatabaseSignal): boolean => kind === 'float32' || kind === 'float64';

/** The raw values that the bits of an integer signal can hold. */
export const rawRange = ({ kind, length }: DatabaseSignal): { low: bigint; high: bigint } => {
  const values = 1n << BigInt(length);
  return kind === 'signed'
    ? { low: -values / 2n, high: values / 2n - 1n }
    : { low: 0n, high: values - 1n };
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
  const { low, high } = rawRange(signal);
  const ends = [physicalOf(low, signal), physicalOf(high, signal)].sort(compareDecimals);
  return ends.map(decimalText).join(' … ');
};

const isOutside = (physical: Decimal, signal: DatabaseSignal): boolean => {
  const { low, high } = limitsOf(signal);
  return (
    (low !== null && compareDecimals(physical, low) < 0) ||
    (high !== null && compareDecimals(physical, high) > 0)
  );
};

const view = new DataView(new ArrayBuffer(8));

const floatPattern = ({ kind }: DatabaseSignal, value: number): bigint => {
  if (kind === 'float32') {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  view.setFloat64(0, value);
  return view.getBigUint64(0);
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
    const ends = [physicalOf(low, signal), physicalOf(high, signal)].sort(compareDecimals);
    return refused(`Its ${signal.length} bits hold ${ends.map(decimalText).join(' to ')}`);
  }
  return {
    pattern: BigInt.asUintN(signal.length, raw),
    raw: raw.toString(),
    problem: null,
    warning: warningOf(signal, physical, physicalOf(raw, signal)),
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
  const shown = signal.kind === 'signed' ? BigInt.asIntN(signal.length, raw) : pattern;
  return { pattern, raw: shown.toString(), problem: null, warning: null };
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
  const zero = physicalOf(0n, signal);
  if (!isOutside(zero, signal)) return { as: 'physical', text: decimalText(zero) };
  const { low, high } = limitsOf(signal);
  const isBelow = low !== null && compareDecimals(zero, low) < 0;
  return { as: 'physical', text: decimalText((isBelow ? low : high) ?? zero) };
};
