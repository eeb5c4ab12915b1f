import type { LinearCodecRow, SignalType, SpecialState } from './project.ts';
import {
  add,
  asWritten,
  compare,
  divide,
  exactly,
  isWhole,
  multiply,
  nearestDouble,
  nearestSingle,
  parseRational,
  type Rational,
  rational,
  roundHalfAway,
  subtract,
} from './rational.ts';
import {
  doubleText,
  exactOfValue,
  floatText,
  singleText,
  type Value,
  valueOfExact,
} from './values.ts';

/** A raw value: a double on float wires, an integer on all others. */
export type Raw = bigint | number;

export type EncodingError = 'out_of_range' | 'inexact' | 'reserved_code';

export const bitLengthOf = (codec: LinearCodecRow): number => {
  if (codec.raw === 'bool') return 1;
  if (codec.raw === 'float32') return 32;
  if (codec.raw === 'float64') return 64;
  return codec.bit_length ?? 0;
};

const isFloat = ({ raw }: LinearCodecRow): boolean => raw === 'float32' || raw === 'float64';

const nearestFloat = ({ raw }: LinearCodecRow, exact: Rational): number =>
  raw === 'float32' ? nearestSingle(exact) : nearestDouble(exact);

/** A raw value named in the project; on float wires the nearest representable one. */
export const parseRaw = (codec: LinearCodecRow, text: string): Raw => {
  const exact = parseRational(text);
  return isFloat(codec) ? nearestFloat(codec, exact) : exact.n / exact.d;
};

export const rawText = (codec: LinearCodecRow, raw: Raw): string => {
  if (typeof raw === 'bigint') return raw.toString();
  return floatText(raw, codec.raw === 'float32' ? singleText : doubleText);
};

/** The raw value in the bits of a field. */
export const rawOfBits = (codec: LinearCodecRow, bits: bigint): Raw => {
  if (codec.raw === 'signed') return BigInt.asIntN(bitLengthOf(codec), bits);
  if (!isFloat(codec)) return bits;
  const view = new DataView(new ArrayBuffer(8));
  if (codec.raw === 'float64') {
    view.setBigUint64(0, bits);
    return view.getFloat64(0);
  }
  view.setUint32(0, Number(bits));
  return view.getFloat32(0);
};

/** The bits of a field for a raw value; negative integers are converted by the writer. */
export const bitsOfRaw = (codec: LinearCodecRow, raw: Raw): bigint => {
  if (typeof raw === 'bigint') return raw;
  const view = new DataView(new ArrayBuffer(8));
  if (codec.raw === 'float64') {
    view.setFloat64(0, raw);
    return view.getBigUint64(0);
  }
  view.setFloat32(0, raw);
  return BigInt(view.getUint32(0));
};

const exactRaw = (raw: Raw): Rational => (typeof raw === 'bigint' ? rational(raw) : exactly(raw));

const physicalOf = ({ factor = 1, offset = 0 }: LinearCodecRow, raw: Raw): Rational =>
  add(multiply(asWritten(factor), exactRaw(raw)), asWritten(offset));

const isOutsideLimits = (codec: LinearCodecRow, raw: Raw): boolean =>
  (codec.raw_min !== undefined && raw < parseRaw(codec, codec.raw_min)) ||
  (codec.raw_max !== undefined && raw > parseRaw(codec, codec.raw_max));

export type Decoding =
  | { readonly quality: 'good'; readonly value: Value }
  | { readonly quality: SpecialState };

/** The meaning of a raw value: a special state, an error, or factor × raw + offset. */
export const decode = (codec: LinearCodecRow, type: SignalType, raw: Raw): Decoding => {
  const special = codec.special?.find((entry) => parseRaw(codec, entry.raw) === raw);
  if (special !== undefined) return { quality: special.state };
  if (codec.invalid_raw !== undefined && parseRaw(codec, codec.invalid_raw) === raw) {
    return { quality: 'invalid' };
  }
  if (isOutsideLimits(codec, raw)) return { quality: 'error' };
  if (typeof raw === 'number' && !Number.isFinite(raw)) return { quality: 'error' };
  const value = valueOfExact(type, physicalOf(codec, raw));
  return value === undefined ? { quality: 'error' } : { quality: 'good', value };
};

/** Whether a codec gives a raw value a special meaning, so that it is no value. */
export const isReserved = (codec: LinearCodecRow, raw: Raw): boolean => {
  const reserved = [...(codec.special ?? []).map((entry) => entry.raw), codec.invalid_raw];
  return reserved.some((text) => text !== undefined && parseRaw(codec, text) === raw);
};

export type Encoding = { readonly raw: Raw } | { readonly error: EncodingError };

const isBeyondBits = (codec: LinearCodecRow, raw: Raw): boolean => {
  if (typeof raw === 'number') return !Number.isFinite(raw);
  const values = 2n ** BigInt(bitLengthOf(codec));
  return codec.raw === 'signed'
    ? raw < -values / 2n || raw >= values / 2n
    : raw < 0n || raw >= values;
};

/**
 * The raw value of a value: (value − offset) ÷ factor, exact, then rounded to the wire format.
 */
export const encode = (codec: LinearCodecRow, value: Value): Encoding => {
  const { factor = 1, offset = 0 } = codec;
  if (factor === 0) return { error: 'out_of_range' };
  const exact = exactOfValue(value);
  const quotient = divide(subtract(exact, asWritten(offset)), asWritten(factor));
  const raw = isFloat(codec) ? nearestFloat(codec, quotient) : roundHalfAway(quotient);
  if (isBeyondBits(codec, raw) || isOutsideLimits(codec, raw)) return { error: 'out_of_range' };
  // A fraction may be rounded on a float wire, but an integer must be exact.
  if (isFloat(codec) && isWhole(exact) && compare(physicalOf(codec, raw), exact) !== 0) {
    return { error: 'inexact' };
  }
  return isReserved(codec, raw) ? { error: 'reserved_code' } : { raw };
};
