import {
  compareDecimals,
  type Decimal,
  parseDecimal,
  requireDecimal,
} from '../base/decimal/decimal.ts';
import { LinearScale } from '../base/decimal/linear-scale.ts';
import type { Message, Signal } from '../database/model.ts';
import { greaterOf, isFloat, lesserOf, rawSpanOf } from '../database/raw-span.ts';
import { compileDecoder, type Decode } from '../signal/compile-decoder.ts';
import { isWide, type RawValues } from '../signal/raw-values.ts';
import type { ComparedValue, Comparison } from './condition.ts';

/** Raw integers, inclusive. */
interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

/** Ranges of a LIN signal that are compiled; more are refused. */
const maxRanges = 256;

export const comparesWith = (comparison: Comparison, order: number): boolean => {
  switch (comparison) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
};

/**
 * Raw values of a span whose physical value compares so, exactly. The physical value grows or
 * falls with the raw one, so there are at most three parts: below, at and above the nearest.
 */
const spansFor = (
  scale: LinearScale,
  comparison: Comparison,
  limit: Decimal,
  { from, to }: Span,
): Span[] => {
  const orderAt = (raw: bigint): number => compareDecimals(scale.physicalOf(raw), limit);
  const nearest = scale.rawOf(limit)?.raw ?? from;
  const at = lesserOf(greaterOf(nearest, from), to);
  const parts: Span[] = [
    { from, to: at - 1n },
    { from: at, to: at },
    { from: at + 1n, to },
  ];
  return parts.filter(
    (part) => part.from <= part.to && comparesWith(comparison, orderAt(part.from)),
  );
};

const intersections = (spans: readonly Span[], { from, to }: Span): Span[] =>
  spans
    .map((span) => ({ from: greaterOf(span.from, from), to: lesserOf(span.to, to) }))
    .filter((span) => span.from <= span.to);

const without = (spans: readonly Span[], { from, to }: Span): Span[] =>
  spans.flatMap((span) =>
    [
      { from: span.from, to: lesserOf(span.to, from - 1n) },
      { from: greaterOf(span.from, to + 1n), to: span.to },
    ].filter((part) => part.from <= part.to),
  );

/** In order, and joined where they touch. */
const joined = (spans: readonly Span[]): Span[] => {
  const sorted = [...spans].sort((one, other) => (one.from < other.from ? -1 : 1));
  const result: Span[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    if (last !== undefined && span.from <= last.to + 1n) {
      result[result.length - 1] = { from: last.from, to: greaterOf(last.to, span.to) };
    } else result.push(span);
  }
  return result;
};

const scaleFrom = (name: string, factor: string, offset: string): LinearScale =>
  new LinearScale(
    requireDecimal(factor, `${name}.factor`),
    requireDecimal(offset, `${name}.offset`),
  );

/** Where a comparison cannot be compiled: what would be expected there. */
export interface ComparisonError {
  readonly part: 'value' | 'comparison' | 'name';
  readonly expected: string;
}

const labelsOf = ({ values }: Signal, text: string): bigint[] =>
  values.filter((value) => value.text === text).map(({ raw }) => raw);

const shownLabels = 8;

const labelError = ({ values }: Signal): ComparisonError => {
  const labels = values.slice(0, shownLabels).map(({ text }) => text);
  const more = values.length > shownLabels ? ', …' : '';
  const known =
    labels.length === 0 ? 'a number' : `a number or a label: ${labels.join(', ')}${more}`;
  return { part: 'value', expected: known };
};

const integerSpans = (
  signal: Signal,
  comparison: Comparison,
  value: ComparedValue,
): readonly Span[] | ComparisonError => {
  const span: Span = { from: rawSpanOf(signal).lowest, to: rawSpanOf(signal).highest };
  const labelled = value.isLabel ? labelsOf(signal, value.text) : [];
  if (value.isLabel && labelled.length === 0) return labelError(signal);
  if (value.isLabel && (comparison === '=' || comparison === '!=')) {
    const spans = labelled.map((raw) => ({ from: raw, to: raw }));
    return comparison === '=' ? spans : spans.reduce<Span[]>(without, [span]);
  }
  const ranges = signal.ranges ?? [
    { ...span, factor: signal.factor, offset: signal.offset, unit: '' },
  ];
  if (ranges.length > maxRanges) return { part: 'name', expected: 'a signal with fewer ranges' };
  const scales = ranges.map(({ factor, offset }) => scaleFrom(signal.name, factor, offset));
  const physicalOf = (raw: bigint): Decimal | null => {
    const range = ranges.findIndex(({ from, to }) => raw >= from && raw <= to);
    return scales[range]?.physicalOf(raw) ?? null;
  };
  const limit = value.isLabel ? physicalOf(labelled[0] as bigint) : parseDecimal(value.text);
  if (limit === null) return { part: 'comparison', expected: '= or != for a label without value' };
  let rest: Span[] = [span];
  const found: Span[] = [];
  ranges.forEach((range, index) => {
    for (const part of intersections(rest, range)) {
      found.push(...spansFor(scales[index] as LinearScale, comparison, limit, part));
    }
    rest = without(rest, range);
  });
  return joined(found);
};

/** Compares raw values in a payload. */
export interface RawTest {
  /** 1 if the last decoded value compares so, else 0. */
  matches(values: RawValues): boolean;
}

class NumberSpans implements RawTest {
  readonly #bounds: Float64Array;

  constructor(spans: readonly Span[]) {
    this.#bounds = Float64Array.from(spans.flatMap(({ from, to }) => [Number(from), Number(to)]));
  }

  matches({ numbers }: RawValues): boolean {
    const raw = numbers[0] as number;
    const bounds = this.#bounds;
    for (let i = 0; i < bounds.length; i += 2) {
      if (raw >= (bounds[i] as number) && raw <= (bounds[i + 1] as number)) return true;
    }
    return false;
  }
}

const wordBits = 32n;
const wordsPerSlot = 2;

/** Integers that a double cannot hold, word by word: a BigInt would be allocated per frame. */
class WordSpans implements RawTest {
  /** Bounds one after another, each with its least significant word first. */
  readonly #bounds: Uint32Array;
  readonly #first: number;
  readonly #count: number;
  /** The sign bit is flipped, so that negative values are below the others. */
  readonly #flip: number;

  constructor(spans: readonly Span[], { kind, length }: Signal) {
    const slots = Math.ceil(length / 64);
    this.#count = slots * wordsPerSlot;
    // The slots of signals above 64 bits follow after one for each signal.
    this.#first = slots > 1 ? wordsPerSlot : 0;
    this.#flip = kind === 'signed' ? 0x8000_0000 : 0;
    const bounds = spans.flatMap(({ from, to }) => [...this.#wordsOf(from), ...this.#wordsOf(to)]);
    this.#bounds = Uint32Array.from(bounds);
  }

  matches({ words }: RawValues): boolean {
    for (let at = 0; at < this.#bounds.length; at += 2 * this.#count) {
      const isInside = this.#order(words, at) >= 0 && this.#order(words, at + this.#count) <= 0;
      if (isInside) return true;
    }
    return false;
  }

  #wordsOf(value: bigint): number[] {
    return Array.from({ length: this.#count }, (_, word) => {
      const bits = Number(BigInt.asUintN(32, value >> (BigInt(word) * wordBits)));
      return word === this.#count - 1 ? (bits ^ this.#flip) >>> 0 : bits;
    });
  }

  #order(words: Uint32Array, bound: number): number {
    for (let word = this.#count - 1; word >= 0; word--) {
      const flip = word === this.#count - 1 ? this.#flip : 0;
      const value = ((words[this.#first + word] as number) ^ flip) >>> 0;
      const limit = this.#bounds[bound + word] as number;
      if (value !== limit) return value < limit ? -1 : 1;
    }
    return 0;
  }
}

/** A float compares with the float nearest to the number; what is no number never does. */
class FloatTest implements RawTest {
  readonly #comparison: Comparison;
  readonly #limit: number;
  readonly #sign: number;

  constructor(comparison: Comparison, limit: number, isFalling: boolean) {
    this.#comparison = comparison;
    this.#limit = limit;
    this.#sign = isFalling ? -1 : 1;
  }

  matches({ numbers }: RawValues): boolean {
    const raw = numbers[0] as number;
    if (Number.isNaN(raw)) return false;
    const order = raw < this.#limit ? -1 : raw > this.#limit ? 1 : 0;
    return comparesWith(this.#comparison, order * this.#sign);
  }
}

class ConstantTest implements RawTest {
  readonly #result: boolean;

  constructor(result: boolean) {
    this.#result = result;
  }

  matches(): boolean {
    return this.#result;
  }
}

const floatTest = (
  signal: Signal & { readonly kind: 'float32' | 'float64' },
  comparison: Comparison,
  value: ComparedValue,
): RawTest | ComparisonError => {
  const limit = value.isLabel ? null : parseDecimal(value.text);
  if (limit === null) return { part: 'value', expected: 'a number' };
  const scale = scaleFrom(signal.name, signal.factor, signal.offset);
  const nearest = scale.rawFloatOf(limit, signal.kind);
  if (nearest === null) {
    return new ConstantTest(comparesWith(comparison, compareDecimals(scale.offset, limit)));
  }
  return new FloatTest(comparison, nearest.raw, scale.factor.coefficient < 0n);
};

export const compileComparison = (
  signal: Signal,
  comparison: Comparison,
  value: ComparedValue,
): RawTest | ComparisonError => {
  if (signal.array !== undefined) return { part: 'name', expected: 'a signal that is a number' };
  if (isFloat(signal)) return floatTest(signal, comparison, value);
  const spans = integerSpans(signal, comparison, value);
  if ('part' in spans) return spans;
  return isWide(signal) ? new WordSpans(spans, signal) : new NumberSpans(spans);
};

/** One signal of a message, decoded on its own. */
export interface SignalReader {
  readonly values: RawValues;
  /** Whether the payload has the signal. */
  read(view: DataView, at: number, length: number): boolean;
}

export class CompiledReader implements SignalReader {
  readonly values: RawValues;
  readonly #decode: Decode;

  constructor(message: Message, index: number) {
    const decoder = compileDecoder(message, [index]);
    this.#decode = decoder.decode;
    this.values = decoder.newValues();
  }

  read(view: DataView, at: number, length: number): boolean {
    this.#decode(view, at, length, this.values);
    return this.values.has(0);
  }
}
