import { coefficientAt, type Decimal, decimalOf, decimalText, placedDigits } from './decimal.ts';
import { decimalOfDouble } from './float-text.ts';
import { type FloatKind, nearestFloat } from './nearest-float.ts';

export interface Inverse<Raw extends number | bigint> {
  readonly raw: Raw;
  readonly exact: boolean;
}

/**
 * A scale in doubles, for raw values up to a limit: physical = (raw × multiplier + addend) /
 * divisor.
 */
export interface FastScale {
  readonly multiplier: number;
  readonly addend: number;
  readonly divisor: number;
  readonly limit: number;
}

const exactPowersOfTen = 22;

export const roundingShare = 2 ** -50;

const magnitudeOf = (value: bigint): bigint => (value < 0n ? -value : value);

const roundedQuotient = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (magnitudeOf(remainder) * 2n < magnitudeOf(divisor)) return quotient;
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
};

/** physical = raw × factor + offset, without rounding. */
export class LinearScale {
  readonly factor: Decimal;
  readonly offset: Decimal;
  readonly #multiplier: bigint;
  readonly #addend: bigint;
  readonly #places: number;
  /** Double arithmetic is exact up to `#fastLimit`; -1 means never. */
  readonly #fastMultiplier: number;
  readonly #fastAddend: number;
  readonly #fastLimit: number;
  readonly #fastDivisor: number;

  constructor(factor: Decimal, offset: Decimal) {
    this.factor = factor;
    this.offset = offset;
    const exponent = Math.min(0, factor.exponent, offset.exponent);
    this.#places = -exponent;
    this.#multiplier = coefficientAt(factor, exponent);
    this.#addend = coefficientAt(offset, exponent);
    this.#fastMultiplier = Number(this.#multiplier);
    this.#fastAddend = Number(this.#addend);
    const room = Number.MAX_SAFE_INTEGER - Math.abs(this.#fastAddend);
    const limit = Math.floor(room / Math.max(1, Math.abs(this.#fastMultiplier)));
    const isFast = room >= 0 && Number.isFinite(this.#fastMultiplier);
    this.#fastLimit = isFast ? Math.min(limit, Number.MAX_SAFE_INTEGER) : -1;
    this.#fastDivisor = this.#places <= exactPowersOfTen ? 10 ** this.#places : 0;
  }

  get isIdentity(): boolean {
    return this.#places === 0 && this.#multiplier === 1n && this.#addend === 0n;
  }

  get fast(): FastScale | null {
    if (this.#fastLimit < 0 || this.#fastDivisor === 0) return null;
    return {
      multiplier: this.#fastMultiplier,
      addend: this.#fastAddend,
      divisor: this.#fastDivisor,
      limit: this.#fastLimit,
    };
  }

  textOf(raw: number | bigint): string {
    if (typeof raw === 'number' && Math.abs(raw) <= this.#fastLimit) {
      const scaled = raw * this.#fastMultiplier + this.#fastAddend;
      return placedDigits(scaled < 0, String(Math.abs(scaled)), this.#places);
    }
    const scaled = BigInt(raw) * this.#multiplier + this.#addend;
    return placedDigits(scaled < 0n, magnitudeOf(scaled).toString(), this.#places);
  }

  physicalOf(raw: bigint): Decimal {
    return decimalOf(raw * this.#multiplier + this.#addend, -this.#places);
  }

  /** The double nearest to the physical value. Allocates only for large integers. */
  nearestOf(raw: number | bigint): number {
    if (typeof raw === 'number' && Math.abs(raw) <= this.#fastLimit && this.#fastDivisor > 0) {
      return (raw * this.#fastMultiplier + this.#fastAddend) / this.#fastDivisor;
    }
    const scaled = BigInt(raw) * this.#multiplier + this.#addend;
    return scaled === 0n ? 0 : nearestFloat(scaled, 10n ** BigInt(this.#places), 'float64');
  }

  /** Writes into an array, because returning a double allocates. */
  putNearest(raw: number | bigint, to: Float64Array, index: number): void {
    if (typeof raw === 'number' && Math.abs(raw) <= this.#fastLimit && this.#fastDivisor > 0) {
      to[index] = (raw * this.#fastMultiplier + this.#fastAddend) / this.#fastDivisor;
      return;
    }
    to[index] = this.nearestOf(raw);
  }

  /** The physical value if it is an integer, as a number if that is exact; otherwise null. */
  wholeOf(raw: number | bigint): number | bigint | null {
    if (typeof raw === 'number' && Math.abs(raw) <= this.#fastLimit && this.#fastDivisor > 0) {
      const scaled = raw * this.#fastMultiplier + this.#fastAddend;
      if (this.#fastDivisor === 1) return scaled;
      return scaled % this.#fastDivisor === 0 ? scaled / this.#fastDivisor : null;
    }
    const scaled = BigInt(raw) * this.#multiplier + this.#addend;
    const unit = 10n ** BigInt(this.#places);
    if (scaled % unit !== 0n) return null;
    const whole = Number(scaled / unit);
    return Number.isSafeInteger(whole) ? whole : scaled / unit;
  }

  /**
   * Replaces a physical value by its raw integer (see `rawOf`), or by NaN if double arithmetic
   * is not exact enough. A double with a fraction means the shortest decimal that parses to it.
   */
  putCompiledRaw(numbers: Float64Array, index: number): void {
    const physical = numbers[index] as number;
    numbers[index] = Number.NaN;
    if (this.#fastLimit < 0 || this.#fastDivisor === 0) return;
    const scaled = physical * this.#fastDivisor;
    const quotient = (scaled - this.#fastAddend) / this.#fastMultiplier;
    const rounded = Math.round(quotient);
    const max = Math.max(Math.abs(scaled), Math.abs(this.#fastAddend));
    const doubt = (roundingShare * max) / Math.abs(this.#fastMultiplier);
    const isClear = 0.5 - Math.abs(quotient - rounded) > doubt + Math.abs(quotient) * roundingShare;
    if (isClear && Number.isSafeInteger(rounded)) numbers[index] = rounded + 0;
  }

  nearestOfFloat(raw: number): number {
    return this.isIdentity ? raw : Number(decimalText(this.#physicalOfFloat(raw)));
  }

  textOfFloat(raw: number): string {
    return decimalText(this.#physicalOfFloat(raw));
  }

  /**
   * The raw integer of a physical value, halves rounded away from zero. Null if the factor is zero.
   */
  rawOf(physical: Decimal): Inverse<bigint> | null {
    const [dividend, divisor] = this.#quotientFor(physical);
    if (divisor === 0n) return null;
    return { raw: roundedQuotient(dividend, divisor), exact: dividend % divisor === 0n };
  }

  rawFloatOf(physical: Decimal, kind: FloatKind): Inverse<number> | null {
    const [dividend, divisor] = this.#quotientFor(physical);
    if (divisor === 0n) return null;
    const raw = nearestFloat(dividend, divisor, kind);
    if (!Number.isFinite(raw)) return { raw, exact: false };
    const result = this.#physicalOfFloat(raw);
    const exact =
      result.coefficient === physical.coefficient && result.exponent === physical.exponent;
    return { raw, exact };
  }

  #physicalOfFloat(raw: number): Decimal {
    const { coefficient, exponent } = decimalOfDouble(raw);
    const product = { coefficient: coefficient * this.#multiplier, exponent };
    const lower = Math.min(exponent, 0);
    const sum = coefficientAt(product, lower) + coefficientAt(this.#addendAtZero, lower);
    return decimalOf(sum, lower - this.#places);
  }

  get #addendAtZero(): Decimal {
    return { coefficient: this.#addend, exponent: 0 };
  }

  #quotientFor(physical: Decimal): [dividend: bigint, divisor: bigint] {
    const exponent = Math.min(-this.#places, physical.exponent);
    const widening = 10n ** BigInt(-this.#places - exponent);
    return [
      coefficientAt(physical, exponent) - this.#addend * widening,
      this.#multiplier * widening,
    ];
  }
}
