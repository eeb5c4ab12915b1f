import {
  compareDecimals,
  type Decimal,
  decimalText,
  maxDecimalDigits,
  parseDecimal,
} from '../../base/decimal/decimal.ts';
import { BusbarError, type ErrorDetails, invalidArgument } from '../../base/errors/busbar-error.ts';
import { nearestName } from '../../base/suggest.ts';
import { arrayTextRule, rawOfArrayText } from '../../database/array-text.ts';
import type { ArrayText, Signal } from '../../database/model.ts';
import { isFloat, rawOfWritten, rawSpanOf } from '../../database/raw-span.ts';
import type { Raw, RawValues } from '../raw-values.ts';
import { limitsOf } from '../signal-limits.ts';
import { scaleOf } from '../signal-scale.ts';
import { ValueInput } from '../value-input.ts';

export const fieldOf = (name: string): string => `signals.${name}`;

export const wrongSignal = (
  { name }: Pick<Signal, 'name'>,
  problem: string,
  details: ErrorDetails,
): BusbarError => invalidArgument(fieldOf(name), `${name} ${problem}`, details);

const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const specialFloat = /^(?:NaN|[+-]?Infinity)$/;

/** A number with more digits than are calculated with, as the nearest one to 0 that is not 0. */
const calculable = (text: string): string =>
  parseDecimal(text) === null && Number(text) === 0
    ? `${text.startsWith('-') ? '-' : ''}1e-${maxDecimalDigits}`
    : text;

interface Range {
  readonly minimum: string | null;
  readonly maximum: string | null;
  readonly what: 'values' | 'raw values';
  readonly unit: string;
}

const textOf = (limit: Decimal | null): string | null =>
  limit === null ? null : decimalText(limit);

const rawRangeOf = (signal: Signal): Range => {
  const kind = { what: 'raw values', unit: '' } as const;
  if (isFloat(signal)) return { minimum: null, maximum: null, ...kind };
  const { lowest, highest } = rawSpanOf(signal);
  return { minimum: lowest.toString(), maximum: highest.toString(), ...kind };
};

/** Physical values that the limits of the database and the bits both allow. */
const physicalRangeOf = (signal: Signal): Range => {
  const kind = { what: 'values', unit: signal.unit } as const;
  if (signal.ranges !== undefined) {
    return { minimum: signal.minimum, maximum: signal.maximum, ...kind };
  }
  let { minimum, maximum } = limitsOf(signal);
  const scale = scaleOf(signal);
  if (!isFloat(signal)) {
    const { lowest, highest } = rawSpanOf(signal);
    const ends = [scale.physicalOf(lowest), scale.physicalOf(highest)] as const;
    const [low, high] = compareDecimals(...ends) <= 0 ? ends : [ends[1], ends[0]];
    if (minimum === null || compareDecimals(minimum, low) < 0) minimum = low;
    if (maximum === null || compareDecimals(maximum, high) > 0) maximum = high;
  }
  return { minimum: textOf(minimum), maximum: textOf(maximum), ...kind };
};

const rangeWords = ({ minimum, maximum, what, unit }: Range): string => {
  const end = unit === '' ? '' : ` ${unit}`;
  if (minimum === null && maximum === null) return 'allows values that its float format holds';
  if (minimum === null) return `allows ${what} up to ${maximum}${end}`;
  if (maximum === null) return `allows ${what} from ${minimum}${end}`;
  return `allows ${what} from ${minimum} to ${maximum}${end}`;
};

interface Entry {
  readonly signal: Signal;
  /** Raw value by label. The first of equal labels counts. */
  readonly labels: ReadonlyMap<string, Raw>;
}

const labelsOf = (signal: Signal): ReadonlyMap<string, Raw> => {
  const labels = new Map<string, Raw>();
  for (const { raw, text } of signal.values) {
    const held = isFloat(signal) ? Number(raw) : rawOfWritten(signal, raw);
    if (held !== null && !labels.has(text)) labels.set(text, held);
  }
  return labels;
};

/** Reads the texts that a sender gives for the signals of a message. */
export class ValueTexts {
  readonly #entries: readonly Entry[];
  readonly #input: ValueInput;

  constructor(signals: readonly Signal[]) {
    this.#entries = signals.map((signal) => ({ signal, labels: labelsOf(signal) }));
    this.#input = new ValueInput(signals);
  }

  /** A decimal number is a value; any other text is a label, which the limits do not concern. */
  setPhysical(values: RawValues, index: number, text: string): void {
    const { signal } = this.#at(index);
    if (signal.array !== undefined) {
      this.#setArray(values, index, text, signal.array);
      return;
    }
    if (!numberText.test(text)) {
      this.#setLabel(values, index, text);
      return;
    }
    const number = calculable(text);
    if (parseDecimal(number) === null) throw this.#outside(signal, text, physicalRangeOf(signal));
    try {
      this.#input.setPhysical(values, index, number, { enforceLimits: true });
    } catch (thrown) {
      if (parseDecimal(signal.factor)?.coefficient === 0n) {
        throw wrongSignal(signal, 'has the factor 0: use raw values', { reason: 'factor_0' });
      }
      throw this.#replaced(thrown, signal, text, physicalRangeOf);
    }
  }

  setRaw(values: RawValues, index: number, text: string): void {
    const { signal } = this.#at(index);
    const isNumber = numberText.test(text) || (isFloat(signal) && specialFloat.test(text));
    if (!isNumber) {
      this.#setLabel(values, index, text);
      return;
    }
    const number = isNumber ? calculable(text) : text;
    if (!isFloat(signal) && (parseDecimal(number)?.exponent ?? 0) < 0) {
      throw wrongSignal(signal, 'requires an integer raw value', { reason: 'not_integer' });
    }
    try {
      this.#input.setRaw(values, index, number);
    } catch (thrown) {
      throw this.#replaced(thrown, signal, text, rawRangeOf);
    }
  }

  #setArray(values: RawValues, index: number, text: string, form: ArrayText): void {
    const { signal } = this.#at(index);
    const raw = rawOfArrayText(text, signal.length, form);
    if (raw === null) {
      const rule = arrayTextRule(signal.length, form);
      throw wrongSignal(signal, `requires ${rule}`, { reason: 'not_array_text' });
    }
    this.#input.setRaw(values, index, raw);
  }

  #setLabel(values: RawValues, index: number, text: string): void {
    const { signal, labels } = this.#at(index);
    const raw = labels.get(text);
    if (raw !== undefined) {
      values.set(index, raw);
      return;
    }
    const nearest = nearestName(text, labels.keys());
    const advice = nearest === null ? '' : `. Did you mean ${nearest}?`;
    const problem = labels.size === 0 ? 'has no labels: use a decimal number' : 'has no label';
    const quoted = labels.size === 0 ? '' : ` ${JSON.stringify(text)}${advice}`;
    throw wrongSignal(signal, problem + quoted, { reason: 'no_such_label', label: text, nearest });
  }

  #replaced(
    thrown: unknown,
    signal: Signal,
    text: string,
    rangeOf: (signal: Signal) => Range,
  ): BusbarError {
    const error = BusbarError.from(thrown);
    return error.code === 'invalid_argument' ? this.#outside(signal, text, rangeOf(signal)) : error;
  }

  #outside(signal: Signal, text: string, range: Range): BusbarError {
    const gaps = signal.ranges === undefined ? '' : ' in the ranges of its encoding';
    const problem = `${rangeWords(range)}${gaps}, not ${text}`;
    const { minimum, maximum } = range;
    return wrongSignal(signal, problem, { reason: 'out_of_range', minimum, maximum });
  }

  #at(index: number): Entry {
    return this.#entries[index] as Entry;
  }
}
