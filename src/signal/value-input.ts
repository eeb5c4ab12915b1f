import { coefficientAt, type Decimal, parseDecimal } from '../base/decimal/decimal.ts';
import type { LinearScale } from '../base/decimal/linear-scale.ts';
import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { arrayTextRule, rawOfArrayText } from '../database/array-text.ts';
import type { Signal } from '../database/model.ts';
import { isFloat, rawSpanOf } from '../database/raw-span.ts';
import { ScaledRanges } from '../database/scaled-ranges.ts';
import { heldRaw, type ValueLimits } from '../database/value-limits.ts';
import type { Raw, RawValues } from './raw-values.ts';
import { limitsOf } from './signal-limits.ts';
import { scaleOf } from './signal-scale.ts';

export interface PhysicalOptions {
  /**
   * Rejects values beyond the database's limits. By default only the bit length limits a value.
   */
  readonly enforceLimits?: boolean;
}

const numberText = /^(?:NaN|[+-]?Infinity)$/;

const decimalIn = ({ name }: Signal, given: string | number): Decimal => {
  const decimal = parseDecimal(String(given));
  if (decimal !== null) return decimal;
  throw invalidArgument(name, `${name} requires a decimal number`);
};

const integerIn = (signal: Signal, raw: number | bigint | string): bigint => {
  if (typeof raw === 'bigint') return raw;
  const decimal = decimalIn(signal, raw);
  if (decimal.exponent >= 0) return coefficientAt(decimal, 0);
  throw invalidArgument(signal.name, `${signal.name} requires an integer raw value`);
};

const tooLarge = ({ name, kind }: Signal): BusbarError =>
  invalidArgument(name, `The value is too large for ${name}, which is ${kind}`);

const floatIn = (signal: Signal, raw: number | bigint | string): number => {
  if (typeof raw !== 'string') return Number(raw);
  if (numberText.test(raw)) return Number(raw);
  decimalIn(signal, raw);
  const value = Number(raw);
  if (Number.isFinite(value)) return value;
  throw tooLarge(signal);
};

interface Entry {
  readonly signal: Signal;
  readonly scale: LinearScale;
  readonly limits: ValueLimits;
  readonly ranges: ScaledRanges | null;
}

/** Accepts values for the signals of an encoder. Errors name the signal. */
export class ValueInput {
  readonly #signals: readonly Entry[];

  constructor(signals: readonly Signal[]) {
    this.#signals = signals.map((signal) => ({
      signal,
      scale: scaleOf(signal),
      limits: limitsOf(signal),
      ranges: signal.ranges === undefined ? null : new ScaledRanges(signal.name, signal.ranges),
    }));
  }

  setRaw(values: RawValues, number: number, raw: number | bigint | string): void {
    const { signal } = this.#at(number);
    if (isFloat(signal)) this.#setFloat(values, number, floatIn(signal, raw));
    else this.#setInteger(values, number, integerIn(signal, raw));
  }

  /**
   * Sets the raw value nearest to a physical one; halves round away from zero. Returns whether
   * the raw value is exact. A number means the decimal that JavaScript prints for it. A byte
   * array takes its text; a signal with ranges takes only values within one of them.
   */
  setPhysical(
    values: RawValues,
    number: number,
    physical: string | number,
    { enforceLimits = false }: PhysicalOptions = {},
  ): boolean {
    const entry = this.#at(number);
    const { signal, scale, ranges } = entry;
    if (signal.array !== undefined) return this.#setArray(values, number, String(physical));
    if (ranges !== null) return this.#setInRange(values, number, physical, ranges);
    const decimal = decimalIn(signal, physical);
    const inverse = isFloat(signal) ? scale.rawFloatOf(decimal, signal.kind) : scale.rawOf(decimal);
    if (inverse === null) {
      throw invalidArgument(signal.name, `${signal.name} has the factor 0: use raw values`);
    }
    const raw = enforceLimits ? this.#rawWithin(entry, decimal, inverse.raw) : inverse.raw;
    if (typeof raw === 'bigint') {
      const held = heldRaw(rawSpanOf(signal), scale, entry.limits, decimal, raw);
      this.#setInteger(values, number, held ?? raw);
    } else if (Number.isFinite(raw)) values.set(number, raw);
    else throw tooLarge(signal);
    return inverse.exact;
  }

  #setArray(values: RawValues, number: number, text: string): boolean {
    const { signal } = this.#at(number);
    const { name, length, array = 'hex' } = signal;
    const raw = rawOfArrayText(text, length, array);
    if (raw === null) {
      throw invalidArgument(name, `${name} requires ${arrayTextRule(length, array)}`);
    }
    this.#setInteger(values, number, raw);
    return true;
  }

  #setInRange(
    values: RawValues,
    number: number,
    physical: string | number,
    ranges: ScaledRanges,
  ): boolean {
    const { signal } = this.#at(number);
    const { name, minimum, maximum } = signal;
    const inverse = ranges.rawOf(decimalIn(signal, physical));
    if (inverse === null) {
      const limits = [minimum, maximum].map((limit) => limit ?? 'any').join(' to ');
      throw invalidArgument(
        name,
        `${name} allows physical values in the ranges of its encoding, from ${limits}`,
      );
    }
    this.#setInteger(values, number, inverse.raw);
    return inverse.exact;
  }

  #at(number: number) {
    const entry = this.#signals[number];
    if (entry !== undefined) return entry;
    throw invalidArgument('signal', `No such signal: ${number}`);
  }

  #setInteger(values: RawValues, number: number, raw: bigint): void {
    const { signal } = this.#at(number);
    const { lowest, highest } = rawSpanOf(signal);
    if (raw < lowest || raw > highest) {
      const message = `${signal.name} allows raw values from ${lowest} to ${highest}`;
      throw invalidArgument(signal.name, message, { raw: raw.toString() });
    }
    values.set(number, raw);
  }

  #setFloat(values: RawValues, number: number, raw: number): void {
    const { signal } = this.#at(number);
    const stored = signal.kind === 'float32' ? Math.fround(raw) : raw;
    if (Number.isFinite(raw) && !Number.isFinite(stored)) throw tooLarge(signal);
    values.set(number, stored);
  }

  #rawWithin({ signal, limits: given, scale }: Entry, physical: Decimal, raw: Raw): Raw {
    const { name, minimum, maximum } = signal;
    if (typeof raw === 'bigint') {
      const within = given.rawWithin(scale, physical, raw);
      if (within !== null) return within;
    } else if (given.allow(physical)) return raw;
    const limits = [minimum, maximum].map((limit) => limit ?? 'any').join(' to ');
    throw invalidArgument(name, `${name} allows physical values within ${limits}`);
  }
}
