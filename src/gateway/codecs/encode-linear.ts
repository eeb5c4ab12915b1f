import {
  coefficientAt,
  type Decimal,
  parseDecimal,
  requireDecimal,
} from '../../base/decimal/decimal.ts';
import { float32Text, float64Text } from '../../base/decimal/float-text.ts';
import { LinearScale } from '../../base/decimal/linear-scale.ts';
import type { ByteOrder, LinearCodec, rawKinds } from '../project/tables/codecs.ts';
import type { CellKind } from '../values/cells.ts';
import { exactText } from '../values/signal-value.ts';

export type RawKind = (typeof rawKinds)[number];

export const encodingErrors = [
  'out_of_range',
  'reserved_code',
  'inexact',
  'native_failed',
] as const;
export type EncodingError = (typeof encodingErrors)[number];

export const encodingMessages: Readonly<Record<EncodingError, string>> = {
  out_of_range: 'The value is out of the range of the codec',
  reserved_code: 'The value would be encoded as a raw that means something else',
  inexact: 'The value cannot be held exactly on the wire',
  native_failed: 'The plugin could not encode the value',
};

/** A double for float codecs, an integer for all others. */
export type Raw = number | bigint;

export interface Encoding {
  readonly raw: Raw;
  readonly error?: EncodingError;
}

export interface SpecialRaw {
  readonly raw: string;
  readonly state: 'invalid' | 'not_available' | 'error';
}

export interface LinearFormat {
  readonly raw: RawKind;
  readonly bitLength: number;
  readonly byteOrder?: ByteOrder | undefined;
  readonly wordOrder?: LinearCodec['word_order'] | undefined;
  readonly factor: number;
  readonly offset: number;
  readonly rawMin?: string | undefined;
  readonly rawMax?: string | undefined;
  readonly invalidRaw?: string | undefined;
  readonly specials: readonly SpecialRaw[];
}

const impliedBits: Readonly<Partial<Record<RawKind, number>>> = {
  bool: 1,
  float32: 32,
  float64: 64,
};

export const bitLengthOf = ({ raw, bit_length: bits }: LinearCodec): number =>
  impliedBits[raw] ?? bits ?? 0;

export const formatOf = (codec: LinearCodec): LinearFormat => ({
  raw: codec.raw,
  bitLength: bitLengthOf(codec),
  byteOrder: codec.byte_order,
  wordOrder: codec.word_order,
  factor: codec.factor,
  offset: codec.offset,
  rawMin: codec.raw_min,
  rawMax: codec.raw_max,
  invalidRaw: codec.invalid_raw,
  specials: codec.special ?? [],
});

export const isFloat = (kind: RawKind): kind is 'float32' | 'float64' =>
  kind === 'float32' || kind === 'float64';

export const parseFloatRaw = (kind: 'float32' | 'float64', text: string): number =>
  kind === 'float32' ? Math.fround(Number(text)) : Number(text);

export const rawCellKind = (kind: RawKind): CellKind => {
  if (isFloat(kind)) return 'floats';
  return kind === 'signed' ? 'signed' : 'unsigned';
};

export const rawText = (kind: RawKind, raw: Raw): string => {
  if (typeof raw === 'bigint') return raw.toString();
  return exactText(raw, kind === 'float32' ? float32Text : float64Text);
};

/** Converts a double of a project to the decimal that its author wrote. */
const decimalOfParameter = (value: number, field: string): Decimal =>
  requireDecimal(float64Text(value), field);

export const scaleOf = ({ factor, offset }: Pick<LinearFormat, 'factor' | 'offset'>): LinearScale =>
  new LinearScale(decimalOfParameter(factor, 'factor'), decimalOfParameter(offset, 'offset'));

export const reservedRaws = ({ specials, invalidRaw }: LinearFormat): string[] => [
  ...specials.map(({ raw }) => raw),
  ...(invalidRaw === undefined ? [] : [invalidRaw]),
];

/**
 * Encodes physical values exactly: raw = (value − offset) ÷ factor, rounded half away from zero.
 */
export class LinearEncoder {
  readonly #format: LinearFormat;
  readonly #scale: LinearScale;
  readonly least: Raw;
  readonly max: Raw;
  readonly #reserved: ReadonlySet<Raw>;

  constructor(format: LinearFormat) {
    this.#format = format;
    this.#scale = scaleOf(format);
    const [least, max] = this.#range();
    this.least = format.rawMin === undefined ? least : this.parseRaw(format.rawMin);
    this.max = format.rawMax === undefined ? max : this.parseRaw(format.rawMax);
    this.#reserved = new Set(reservedRaws(format).map((raw) => this.parseRaw(raw)));
  }

  get invalidRaw(): Raw | undefined {
    const { invalidRaw } = this.#format;
    return invalidRaw === undefined ? undefined : this.parseRaw(invalidRaw);
  }

  parseRaw(text: string): Raw {
    if (isFloat(this.#format.raw)) return parseFloatRaw(this.#format.raw, text);
    const decimal = parseDecimal(text);
    return decimal === null || decimal.exponent < 0 ? 0n : coefficientAt(decimal, 0);
  }

  encode(value: Decimal): Encoding {
    const encoding = isFloat(this.#format.raw)
      ? this.#encodeFloat(value, this.#format.raw)
      : this.#encodeInteger(value);
    const { raw, error } = encoding;
    if (raw < this.least || raw > this.max) return { raw, error: 'out_of_range' };
    if (error !== undefined) return encoding;
    return this.#reserved.has(raw) ? { raw, error: 'reserved_code' } : encoding;
  }

  #encodeInteger(value: Decimal): Encoding {
    const inverse = this.#scale.rawOf(value);
    return inverse === null ? { raw: 0n, error: 'out_of_range' } : { raw: inverse.raw };
  }

  #encodeFloat(value: Decimal, kind: 'float32' | 'float64'): Encoding {
    const inverse = this.#scale.rawFloatOf(value, kind);
    if (inverse === null || !Number.isFinite(inverse.raw)) return { raw: 0, error: 'out_of_range' };
    // A fraction is rounded to the wire format; an integer must be exact.
    const isWhole = value.exponent >= 0;
    // Adding 0 turns −0 into 0.
    const raw = inverse.raw + 0;
    return isWhole && !inverse.exact ? { raw, error: 'inexact' } : { raw };
  }

  #range(): readonly [Raw, Raw] {
    const { raw, bitLength } = this.#format;
    if (isFloat(raw)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const values = 2n ** BigInt(bitLength);
    return raw === 'signed' ? [-values / 2n, values / 2n - 1n] : [0n, values - 1n];
  }
}
