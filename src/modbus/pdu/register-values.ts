import {
  coefficientAt,
  compareDecimals,
  type Decimal,
  decimalText,
  parseDecimal,
  valuePattern,
} from '../../base/decimal/decimal.ts';
import { decimalOfDouble, float32Text, float64Text } from '../../base/decimal/float-text.ts';
import { type FloatKind, nearestFloat } from '../../base/decimal/nearest-float.ts';
import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { digitsPerRegister, hexDigits, hexText, type ValueNotation } from './hex-values.ts';
import { registersPerValue, type ValueType } from './value-types.ts';
import { fromBigEndian, toBigEndian, type WordOrder } from './word-order.ts';

type NumberText =
  | { readonly kind: 'decimal'; readonly decimal: Decimal }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'too_fine' };

const shape = new RegExp(valuePattern);

/**
 * Distinguishes numbers that no type can represent, such as 1e400, from text that is not a number.
 */
const readNumber = (text: string): NumberText => {
  if (!shape.test(text)) return { kind: 'malformed' };
  const decimal = parseDecimal(text);
  if (decimal !== null) return { kind: 'decimal', decimal };
  return { kind: Number.isFinite(Number(text)) ? 'too_fine' : 'too_large' };
};

const special: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

const nearestFloat32 = (decimal: Decimal): number => {
  if (decimal.coefficient === 0n) return 0;
  return decimal.exponent >= 0
    ? nearestFloat(coefficientAt(decimal, 0), 1n, 'float32')
    : nearestFloat(decimal.coefficient, 10n ** BigInt(-decimal.exponent), 'float32');
};

/** Uses a fraction, for text with more digits than a decimal stores. */
const nearestToFineText = (text: string): number => {
  const double = Number(text);
  // Smaller than any double means smaller than any float. Only the sign remains.
  if (double === 0) return double;
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = fineShape.exec(text) ?? [];
  const power = Number(exponent) - fraction.length;
  const magnitude = BigInt(integer + fraction);
  const dividend = sign === '-' ? -magnitude : magnitude;
  return nearestFloat(dividend, 10n ** BigInt(-power), 'float32');
};

const fineShape = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

type FloatInput =
  | { readonly kind: 'float'; readonly float: number; readonly isRounded: boolean }
  | { readonly kind: 'malformed' | 'range' };

/**
 * The float nearest to a text. It counts as rounded unless the text is exact or the float
 * prints as the same text, such as 0.1.
 */
const floatInput = (text: string, kind: FloatKind): FloatInput => {
  const named = special.get(text);
  if (named !== undefined) return { kind: 'float', float: named, isRounded: false };
  const number = readNumber(text);
  if (number.kind === 'malformed') return { kind: 'malformed' };
  if (number.kind === 'too_large') return { kind: 'range' };
  if (number.kind === 'too_fine') {
    // No float can represent a fraction with that many digits.
    const float = kind === 'float32' ? nearestToFineText(text) : Number(text);
    return { kind: 'float', float, isRounded: true };
  }
  const { decimal } = number;
  // Converting through a double would round a float32 twice.
  const float = kind === 'float32' ? nearestFloat32(decimal) : Number(text);
  if (!Number.isFinite(float)) return { kind: 'range' };
  // A decimal does not store the sign of zero.
  if (decimal.coefficient === 0n) {
    return { kind: 'float', float: text.startsWith('-') ? -0 : 0, isRounded: false };
  }
  const shortest = kind === 'float32' ? float32Text(float) : float64Text(float);
  const isKept =
    decimalText(decimal) === shortest || compareDecimals(decimal, decimalOfDouble(float)) === 0;
  return { kind: 'float', float, isRounded: !isKept };
};

/**
 * The shortest text that parses to the same float, with an exponent instead of many zeros: 0.1,
 * 5e-324.
 */
const floatText = (value: number, kind: FloatKind): string => {
  if (Object.is(value, -0)) return '-0';
  // Nine digits survive conversion through a double.
  return String(kind === 'float32' ? Number(float32Text(value)) : value);
};

const scratch = new DataView(new ArrayBuffer(8));

type ValueText = (type: ValueType, order: WordOrder, registers: Uint16Array, at: number) => string;

/**
 * Exact text of the value at a register: integers in full, floats as the shortest text that
 * parses to the same value. A bool is true unless all bits are 0.
 */
export const valueText: ValueText = (type, order, registers, at) => {
  toBigEndian(registers, at, registersPerValue[type], order, scratch);
  switch (type) {
    case 'bool':
      return String(scratch.getUint16(0) !== 0);
    case 'u16':
      return String(scratch.getUint16(0));
    case 's16':
      return String(scratch.getInt16(0));
    case 'u32':
      return String(scratch.getUint32(0));
    case 's32':
      return String(scratch.getInt32(0));
    case 'u64':
      return String(scratch.getBigUint64(0));
    case 's64':
      return String(scratch.getBigInt64(0));
    case 'f32':
      return floatText(scratch.getFloat32(0), 'float32');
    case 'f64':
      return floatText(scratch.getFloat64(0), 'float64');
  }
};

export const valueTexts = (
  type: ValueType,
  order: WordOrder,
  registers: Uint16Array,
  notation: ValueNotation = 'decimal',
): readonly string[] => {
  const size = registersPerValue[type];
  // A bool is not a number in any notation.
  const textOf = notation === 'hex' && type !== 'bool' ? valueBits : valueText;
  return Array.from({ length: Math.floor(registers.length / size) }, (_, index) =>
    textOf(type, order, registers, index * size),
  );
};

const valueBits: ValueText = (type, order, registers, at) => {
  const size = registersPerValue[type];
  toBigEndian(registers, at, size, order, scratch);
  return hexText(scratch.getBigUint64(0) >> BigInt(64 - 16 * size), size);
};

const refusal = (
  index: number,
  reason: string,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): BusbarError => invalidArgument('value', message, { index, reason, ...more });

const trueText = /^(?:true|1|0[xX]0*1)$/;
const falseText = /^(?:false|0|0[xX]0+)$/;

export const requireBool = (text: string, index: number): boolean => {
  if (trueText.test(text)) return true;
  if (falseText.test(text)) return false;
  throw refusal(index, 'malformed', 'A bool is true, false, 1 or 0');
};

type IntegerType = Exclude<ValueType, 'bool' | 'f32' | 'f64'>;

const rangeOf = (type: IntegerType): { readonly lowest: bigint; readonly highest: bigint } => {
  const span = 1n << BigInt(16 * registersPerValue[type]);
  const lowest = type.startsWith('s') ? -span / 2n : 0n;
  return { lowest, highest: lowest + span - 1n };
};

const outOfRange = (type: IntegerType, index: number): BusbarError => {
  const { lowest, highest } = rangeOf(type);
  return refusal(index, 'range', `A value of ${type} is from ${lowest} to ${highest}`, {
    minimum: lowest.toString(),
    maximum: highest.toString(),
  });
};

const requireInteger = (text: string, type: IntegerType, index: number): bigint => {
  const number = readNumber(text);
  if (number.kind === 'malformed') {
    throw refusal(index, 'malformed', `A value of ${type} is a whole number, such as 12 or 0x0C`);
  }
  if (number.kind === 'too_large') throw outOfRange(type, index);
  if (number.kind === 'too_fine' || number.decimal.exponent < 0) {
    throw refusal(index, 'inexact', `A value of ${type} has no decimal places`);
  }
  const value = coefficientAt(number.decimal, 0);
  const { lowest, highest } = rangeOf(type);
  if (value < lowest || value > highest) throw outOfRange(type, index);
  return value;
};

/** Hex text specifies the bits of a value, regardless of its type. */
const requireBits = (digits: string, type: ValueType, index: number): bigint => {
  const all = digitsPerRegister * registersPerValue[type];
  // Short hex text most likely means a small number, not a few bits.
  if (type.startsWith('f') && digits.length !== all) {
    throw refusal(index, 'malformed', `The bits of ${type} in hex have ${all} digits`);
  }
  const bits = BigInt(`0x${digits}`);
  if (bits >> BigInt(4 * all) === 0n) return bits;
  throw refusal(index, 'range', `A value of ${type} has at most ${all} hex digits`, {
    maximum: `0x${'F'.repeat(all)}`,
  });
};

const requireFloat = (text: string, type: 'f32' | 'f64', index: number): number => {
  const input = floatInput(text, type === 'f32' ? 'float32' : 'float64');
  switch (input.kind) {
    case 'float':
      return input.float;
    case 'malformed':
      throw refusal(
        index,
        input.kind,
        `A value of ${type} is a decimal number, NaN or Infinity, or its bits in hex`,
      );
    case 'range':
      throw refusal(index, input.kind, `The value is too large for ${type}`);
  }
};

const putBigEndian = (text: string, type: ValueType, index: number): void => {
  const digits = type === 'bool' ? undefined : hexDigits(text);
  if (digits !== undefined) putBits(requireBits(digits, type, index), type);
  else if (type === 'bool') scratch.setUint16(0, requireBool(text, index) ? 1 : 0);
  else if (type === 'f32') scratch.setFloat32(0, requireFloat(text, type, index));
  else if (type === 'f64') scratch.setFloat64(0, requireFloat(text, type, index));
  else putBits(requireInteger(text, type, index), type);
};

/** Left-aligned, because the value starts at the beginning of the scratch memory. */
const putBits = (bits: bigint, type: ValueType): void => {
  const unused = BigInt(64 - 16 * registersPerValue[type]);
  scratch.setBigUint64(0, BigInt.asUintN(64, bits << unused));
};

/**
 * Registers of consecutive values. Rejects text that is not a value of the type, with its
 * index. Floats are rounded; see `roundingsOf`.
 */
export const registersOf = (
  type: ValueType,
  order: WordOrder,
  texts: readonly string[],
): Uint16Array => {
  const size = registersPerValue[type];
  const registers = new Uint16Array(size * texts.length);
  texts.forEach((text, index) => {
    putBigEndian(text, type, index);
    fromBigEndian(scratch, size, order, registers, index * size);
  });
  return registers;
};

export interface Rounding {
  readonly index: number;
  readonly given: string;
  readonly written: string;
}

export const roundingsOf = (type: ValueType, texts: readonly string[]): readonly Rounding[] => {
  if (type !== 'f32' && type !== 'f64') return [];
  const kind = type === 'f32' ? 'float32' : 'float64';
  return texts.flatMap((given, index) => {
    const input = hexDigits(given) === undefined ? floatInput(given, kind) : undefined;
    if (input?.kind !== 'float' || !input.isRounded) return [];
    return [{ index, given, written: floatText(input.float, kind) }];
  });
};
