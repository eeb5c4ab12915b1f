import type { FastScale, LinearScale } from '../../base/decimal/linear-scale.ts';
import { decimalOfValue, type SignalValue } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import {
  type EncodingError,
  isFloat,
  LinearEncoder,
  type LinearFormat,
  type Raw,
  reservedRaws,
  scaleOf,
} from './encode-linear.ts';
import { narrowed } from './wire-field.ts';

export interface PlainEncoding {
  readonly scale: FastScale;
  readonly isIdentity: boolean;
  readonly least: number;
  readonly max: number;
  readonly reserved: readonly number[];
}

/** Closer than this to the midpoint of two float32 values, only the digits of a double decide. */
const middleShare = 2 ** -20;

/**
 * Returns the float32 nearest to the shortest decimal of a double, or NaN if that needs exact
 * arithmetic.
 */
const compiledFloat32 = (value: number): number => {
  const near = Math.fround(value);
  if (near === value || !Number.isFinite(near)) return near === value ? near : Number.NaN;
  const rest = value - near;
  const next = Math.fround(near + 2 * rest);
  const gap = next - near;
  const isMiddle = next !== near && Math.abs(2 * rest - gap) <= Math.abs(gap) * middleShare;
  return isMiddle ? Number.NaN : near;
};

/**
 * Encodes signal values: with doubles where they are exact, which allocates nothing, otherwise
 * with exact arithmetic.
 */
export class ValueEncoder {
  raw: Raw = 0;
  readonly invalidRaw: Raw | undefined;
  readonly #exact: LinearEncoder;
  readonly #quick = new Float64Array(1);
  readonly #isFloat: boolean;
  readonly #isFloat64: boolean;
  readonly #isIdentity: boolean;
  readonly #scale: LinearScale;
  readonly #least: number;
  readonly #max: number;
  readonly #reserved: ReadonlySet<Raw>;

  constructor(format: LinearFormat) {
    this.#exact = new LinearEncoder(format);
    this.#isFloat = isFloat(format.raw);
    this.#isFloat64 = format.raw === 'float64';
    this.#scale = scaleOf(format);
    this.#isIdentity = this.#scale.isIdentity;
    const { least, max: most } = this.#exact;
    this.#least = Number(least);
    this.#max = Number(most);
    this.#reserved = new Set(reservedRaws(format).map((text) => small(this.#exact.parseRaw(text))));
    const { invalidRaw } = this.#exact;
    this.invalidRaw = invalidRaw === undefined ? undefined : small(invalidRaw);
  }

  get plain(): PlainEncoding | null {
    const scale = this.#scale.fast;
    if (this.#isFloat || scale === null) return null;
    return {
      scale,
      isIdentity: this.#isIdentity,
      least: this.#least,
      max: this.#max,
      reserved: [...this.#reserved].map(Number),
    };
  }

  encode(values: Slots, slot: number): EncodingError | null {
    const wide = values.wide[slot] as bigint | null;
    if (wide !== null) return this.#encodeExactly(wide);
    const value = values.numbers[slot] as number;
    this.#quick[0] = value;
    this.#putCompiledRaw();
    const quick = this.#quick[0] as number;
    // False for NaN. A limit beyond the exact integers never excludes a raw value of the fast
    // path.
    const isPlain = quick >= this.#least && quick <= this.#max;
    if (!isPlain) return this.#encodeExactly(value);
    if (this.#reserved.size > 0 && this.#reserved.has(quick)) return 'reserved_code';
    this.raw = quick;
    return null;
  }

  #putCompiledRaw(): void {
    const quick = this.#quick;
    if (!this.#isFloat) {
      this.#scale.putCompiledRaw(quick, 0);
      return;
    }
    if (this.#isIdentity && this.#isFloat64) return;
    const value = quick[0] as number;
    const near = this.#isIdentity ? compiledFloat32(value) + 0 : Number.NaN;
    quick[0] = near === value || !Number.isInteger(value) ? near : Number.NaN;
  }

  #encodeExactly(value: Raw): EncodingError | null {
    const { raw, error = null } = this.#exact.encode(decimalOfValue(value));
    if (error === null) this.raw = small(raw);
    return error;
  }
}

const small = (raw: Raw): Raw => (typeof raw === 'bigint' ? narrowed(raw) : raw);

const slot = new Slots(1);

export const initialRaw = (
  encoder: Pick<ValueEncoder, 'encode' | 'raw'>,
  initial: SignalValue | undefined,
): Raw => {
  if (initial === undefined) return 0;
  slot.setValue(0, initial);
  return encoder.encode(slot, 0) === null ? encoder.raw : 0;
};
