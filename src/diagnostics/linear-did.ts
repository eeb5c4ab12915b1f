import { type Static, Type } from 'typebox';
import {
  coefficientAt,
  type Decimal,
  parseDecimal,
  requireDecimal,
  valuePattern,
} from '../base/decimal/decimal.ts';
import { float64Text } from '../base/decimal/float-text.ts';
import { LinearScale } from '../base/decimal/linear-scale.ts';
import { invalidArgument } from '../base/errors/busbar-error.ts';
import { choice, integer, optional, record, ruledText } from '../base/schema/field-schemas.ts';

/** Whether a decoded value can be used, or why not. */
export const didQualities = ['good', 'invalid', 'not_available', 'error'] as const;

export interface DidValue {
  /** Null unless good. */
  readonly value: string | null;
  readonly quality: (typeof didQualities)[number];
  readonly label: string | null;
}

const decimalText = (description: string) =>
  ruledText({
    description,
    pattern: valuePattern,
    maxLength: 400,
    'x-rule': 'must be a decimal number in quotes, such as "780.5" or "-3"',
  });

const Special = record({
  raw: decimalText('Raw value'),
  state: choice(['invalid', 'not_available', 'error'], 'What it means'),
  label: optional(Type.String({ description: 'What it is called', maxLength: 200 })),
});

/** The fields of a linear codec in a gateway project, as far as they concern bytes. */
export const LinearDidCodec = record({
  id: optional(Type.String({ description: 'Ignored, as in a gateway project', maxLength: 512 })),
  kind: choice(['linear'], 'Physical value = factor × raw + offset'),
  raw: choice(['unsigned', 'signed', 'float32', 'float64', 'bool'], 'What the bits are'),
  bit_length: optional(integer('Bits of the raw value; default: all of length', 1, 64)),
  byte_order: optional(
    choice(['intel', 'motorola'], 'Order of the bytes', { default: 'motorola' }),
  ),
  factor: optional(Type.Number({ description: 'Physical value of one raw step', default: 1 })),
  offset: optional(Type.Number({ description: 'Physical value of raw 0', default: 0 })),
  raw_min: optional(decimalText('Least raw value')),
  raw_max: optional(decimalText('Largest raw value')),
  special: optional(
    Type.Array(Special, { description: 'Raw values with a special meaning', maxItems: 256 }),
  ),
  invalid_raw: optional(decimalText('Raw value of an invalid signal')),
  comment: optional(Type.String({ description: 'For people', maxLength: 65_536 })),
});
export type LinearDidCodec = Static<typeof LinearDidCodec>;

const floatBytes: Readonly<Record<string, number>> = { float32: 4, float64: 8 };

/** Bytes that a codec implies without a length. */
export const codecBytes = ({ raw, bit_length: bits }: LinearDidCodec): number =>
  floatBytes[raw] ?? (raw === 'bool' ? 1 : Math.ceil((bits ?? 8) / 8));

interface CodecError {
  readonly field: string;
  /** Continues a sentence that begins with the field. */
  readonly words: string;
}

/** Checks what the schema cannot express. */
export const codecError = (
  codec: LinearDidCodec,
  length = codecBytes(codec),
): CodecError | null => {
  const { raw, bit_length: bits, factor = 1 } = codec;
  const fixed = floatBytes[raw];
  if (fixed !== undefined && length !== fixed) {
    return { field: 'raw', words: `has ${fixed} bytes, and length is ${length}` };
  }
  if (length > 8) return { field: 'raw', words: `has at most 8 bytes, and length is ${length}` };
  if (bits !== undefined && bits > 8 * length) {
    return { field: 'bit_length', words: `must be at most ${8 * length}, as length is ${length}` };
  }
  return factor === 0 ? { field: 'factor', words: 'must not be 0' } : null;
};

type Raw = number | bigint;

const scaleOf = ({ factor = 1, offset = 0 }: LinearDidCodec): LinearScale =>
  new LinearScale(
    requireDecimal(float64Text(factor), 'factor'),
    requireDecimal(float64Text(offset), 'offset'),
  );

/**
 * A number that fills its bytes, most significant first unless Intel. Of more bits than it has,
 * the upper are ignored when read and 0 when written.
 */
export class LinearValue {
  readonly #codec: LinearDidCodec;
  readonly #length: number;
  readonly #bits: number;
  readonly #scale: LinearScale;
  readonly #specials: ReadonlyMap<Raw, Pick<DidValue, 'quality' | 'label'>>;
  readonly #min: Raw;
  readonly #max: Raw;

  constructor(codec: LinearDidCodec, length: number) {
    this.#codec = codec;
    this.#length = length;
    this.#bits = codec.raw === 'bool' ? 1 : (codec.bit_length ?? 8 * length);
    this.#scale = scaleOf(codec);
    const specials = new Map<Raw, Pick<DidValue, 'quality' | 'label'>>();
    if (codec.invalid_raw !== undefined) {
      specials.set(this.#parseRaw(codec.invalid_raw), { quality: 'invalid', label: null });
    }
    for (const { raw, state, label = null } of codec.special ?? []) {
      specials.set(this.#parseRaw(raw), { quality: state, label });
    }
    this.#specials = specials;
    const [min, max] = this.#range();
    this.#min = codec.raw_min === undefined ? min : this.#parseRaw(codec.raw_min);
    this.#max = codec.raw_max === undefined ? max : this.#parseRaw(codec.raw_max);
  }

  decode(bytes: Uint8Array): DidValue {
    const raw = this.#read(bytes);
    const special = this.#specials.get(raw);
    if (special !== undefined) return { value: null, ...special };
    const isOutside = raw < this.#min || raw > this.#max;
    if (isOutside || (typeof raw === 'number' && !Number.isFinite(raw))) {
      return { value: null, quality: 'error', label: null };
    }
    const value = this.#isFloat ? this.#scale.textOfFloat(raw as number) : this.#scale.textOf(raw);
    return { value, quality: 'good', label: null };
  }

  encode(value: Decimal, field: string): Uint8Array {
    const kind = this.#codec.raw;
    const inverse =
      kind === 'float32' || kind === 'float64'
        ? this.#scale.rawFloatOf(value, kind)
        : this.#scale.rawOf(value);
    const raw: Raw = inverse?.raw ?? 0n;
    const isOutside = inverse === null || raw < this.#min || raw > this.#max;
    if (isOutside || (typeof raw === 'number' && !Number.isFinite(raw))) {
      throw invalidArgument(field, `${field} is out of the range of the codec`);
    }
    if (this.#specials.has(raw)) {
      throw invalidArgument(
        field,
        `${field} would be encoded as a raw value that means something else`,
      );
    }
    return this.#write(raw);
  }

  get #isFloat(): boolean {
    return this.#codec.raw in floatBytes;
  }

  get #isIntel(): boolean {
    return this.#codec.byte_order === 'intel';
  }

  #parseRaw(text: string): Raw {
    if (this.#isFloat) {
      return this.#codec.raw === 'float32' ? Math.fround(Number(text)) : Number(text);
    }
    const decimal = parseDecimal(text);
    return decimal === null || decimal.exponent < 0 ? 0n : coefficientAt(decimal, 0);
  }

  #range(): readonly [Raw, Raw] {
    if (this.#isFloat) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const values = 2n ** BigInt(this.#bits);
    return this.#codec.raw === 'signed' ? [-values / 2n, values / 2n - 1n] : [0n, values - 1n];
  }

  #read(bytes: Uint8Array): Raw {
    if (this.#isFloat) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      // Adding 0 turns −0 into 0.
      if (this.#length === 4) return view.getFloat32(0, this.#isIntel) + 0;
      return view.getFloat64(0, this.#isIntel) + 0;
    }
    let raw = 0n;
    for (let index = 0; index < this.#length; index++) {
      const at = this.#isIntel ? this.#length - 1 - index : index;
      raw = (raw << 8n) | BigInt(bytes[at] as number);
    }
    return this.#codec.raw === 'signed'
      ? BigInt.asIntN(this.#bits, raw)
      : BigInt.asUintN(this.#bits, raw);
  }

  #write(raw: Raw): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    if (typeof raw === 'number') {
      const view = new DataView(bytes.buffer);
      if (this.#length === 4) view.setFloat32(0, raw, this.#isIntel);
      else view.setFloat64(0, raw, this.#isIntel);
      return bytes;
    }
    let rest = BigInt.asUintN(this.#bits, raw);
    for (let index = 0; index < this.#length; index++) {
      bytes[this.#isIntel ? index : this.#length - 1 - index] = Number(rest & 0xffn);
      rest >>= 8n;
    }
    return bytes;
  }
}
