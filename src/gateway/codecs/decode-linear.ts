import { coefficientAt, parseDecimal } from '../../base/decimal/decimal.ts';
import type { FastScale, LinearScale } from '../../base/decimal/linear-scale.ts';
import type { SignalType } from '../project/tables/signals.ts';
import type { Quality } from '../values/quality.ts';
import { valueRange } from '../values/signal-value.ts';
import { Slots } from '../values/slots.ts';
import {
  isFloat,
  type LinearFormat,
  parseFloatRaw,
  type Raw,
  type RawKind,
  scaleOf,
} from './encode-linear.ts';
import { narrowed } from './wire-field.ts';

export const parseRaw = (kind: RawKind, text: string): Raw => {
  if (isFloat(kind)) return parseFloatRaw(kind, text);
  const decimal = parseDecimal(text);
  return decimal === null || decimal.exponent < 0 ? 0 : narrowed(coefficientAt(decimal, 0));
};

export interface PlainDecoding {
  readonly scale: FastScale;
  readonly least: number;
  readonly max: number;
  readonly specials: readonly number[];
  readonly type: SignalType;
  /** Infinite for doubles. */
  readonly leastValue: number;
  readonly maxValue: number;
}

const unused = new Slots(1);

/**
 * Decodes raw values for signals of one type: physical = factor × raw + offset. Only float64
 * results are rounded, to the nearest double.
 */
export class LinearDecoder {
  readonly #isFloatRaw: boolean;
  readonly #scale: LinearScale;
  readonly #specials: ReadonlyMap<Raw, Quality>;
  readonly #least: Raw;
  readonly #max: Raw;
  readonly #type: SignalType;
  readonly #isFloatSignal: boolean;
  readonly #range: readonly [bigint, bigint] | null;
  readonly #minNumber: number;
  readonly #maxNumber: number;
  readonly #nearest = new Float64Array(1);

  constructor(format: Omit<LinearFormat, 'bitLength'>, type: SignalType) {
    const { raw: kind, rawMin, rawMax, invalidRaw, specials } = format;
    this.#isFloatRaw = isFloat(kind);
    this.#scale = scaleOf(format);
    const states = new Map<Raw, Quality>();
    if (invalidRaw !== undefined) states.set(parseRaw(kind, invalidRaw), 'invalid');
    for (const { raw, state } of specials) states.set(parseRaw(kind, raw), state);
    this.#specials = states;
    this.#least = rawMin === undefined ? Number.NEGATIVE_INFINITY : parseRaw(kind, rawMin);
    this.#max = rawMax === undefined ? Number.POSITIVE_INFINITY : parseRaw(kind, rawMax);
    this.#type = type;
    this.#isFloatSignal = type === 'float64';
    this.#range = valueRange(type);
    const [least, max] = this.#range ?? [0n, 0n];
    this.#minNumber = Number(least);
    this.#maxNumber = Number(max);
  }

  get plain(): PlainDecoding | null {
    const scale = this.#scale.fast;
    if (this.#isFloatRaw || scale === null) return null;
    return {
      scale,
      least: Number(this.#least),
      max: Number(this.#max),
      specials: [...this.#specials.keys()].map(Number),
      type: this.#type,
      leastValue: this.#isFloatSignal ? Number.NEGATIVE_INFINITY : this.#minNumber,
      maxValue: this.#isFloatSignal ? Number.POSITIVE_INFINITY : this.#maxNumber,
    };
  }

  decode(raw: Raw, to: Slots): Quality {
    const special = this.#specials.size === 0 ? undefined : this.#specials.get(raw);
    if (special !== undefined) return special;
    if (raw < this.#least || raw > this.#max) return 'error';
    // The common case: a double that is written to the slot instead of returned needs no
    // allocation.
    if (this.#isFloatSignal && !this.#isFloatRaw) {
      this.#scale.putNearest(raw, this.#nearest, 0);
      const value = this.#nearest[0] as number;
      if (!Number.isFinite(value)) return 'error';
      to.setNumber(0, value);
      return 'good';
    }
    const value = this.#isFloatRaw
      ? this.#ofFloat(raw as number)
      : this.#inRange(this.#scale.wholeOf(raw));
    if (value === null) return 'error';
    to.setValue(0, value);
    return 'good';
  }

  accepts(raw: Raw): boolean {
    return this.#specials.has(raw) || this.decode(raw, unused) === 'good';
  }

  #ofFloat(raw: number): Raw | null {
    if (!Number.isFinite(raw)) return null;
    const value = this.#scale.nearestOfFloat(raw) + 0;
    if (this.#isFloatSignal) return Number.isFinite(value) ? value : null;
    const text = this.#scale.isIdentity ? null : this.#scale.textOfFloat(raw);
    if (text?.includes('.')) return null;
    if (!Number.isInteger(value)) return null;
    if (Number.isSafeInteger(value)) return this.#inRange(value);
    return this.#inRange(text === null ? BigInt(value) : BigInt(text));
  }

  #inRange(value: Raw | null): Raw | null {
    if (value === null || this.#range === null) return value;
    // The limits are rounded to numbers, which is accurate enough here.
    const isWithin =
      typeof value === 'number'
        ? value >= this.#minNumber && value <= this.#maxNumber
        : value >= this.#range[0] && value <= this.#range[1];
    return isWithin ? value : null;
  }
}
