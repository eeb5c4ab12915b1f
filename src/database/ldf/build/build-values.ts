import { requireDecimal } from '../../../base/decimal/decimal.ts';
import { LinearScale } from '../../../base/decimal/linear-scale.ts';
import type { ArrayText, DecimalText, ScaledRange, Signal, ValueText } from '../../model.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import type { Draft, DraftEncoding, DraftSignal, DraftValue } from '../read/draft.ts';
import { Names } from './names.ts';

export type SignalValues = Pick<
  Signal,
  'factor' | 'offset' | 'minimum' | 'maximum' | 'unit' | 'values'
> & { readonly ranges?: readonly ScaledRange[]; readonly array?: ArrayText };

const plain: SignalValues = {
  factor: '1',
  offset: '0',
  minimum: null,
  maximum: null,
  unit: '',
  values: [],
};

const identity = { factor: '1', offset: '0', unit: '' };

/** Files write the range 0 to 0 for “no range”. */
const rangeOf = (
  value: DraftValue & { readonly kind: 'physical' },
  highest: bigint,
  problems: FileProblems,
): ScaledRange => {
  const { factor, offset, unit } = value;
  const scale = { factor, offset, unit };
  if (Number(factor) === 0) {
    problems.warn('factor_zero', value.at, 'A physical value has the factor 0', 'kept');
  }
  if (value.from === 0 && value.to === 0) return { from: 0n, to: highest, ...scale };
  const [from, to] = [BigInt(value.from), BigInt(value.to)];
  if (from <= to) return { from, to, ...scale };
  problems.warn(
    'limits_reversed',
    value.at,
    'The minimum of a physical value is above its maximum',
    'exchanged',
  );
  return { from: to, to: from, ...scale };
};

const labelsOf = (values: readonly DraftValue[]): ValueText[] => {
  const labels = new Map<number, ValueText>();
  for (const value of values) {
    if (value.kind !== 'logical' || value.text === '' || labels.has(value.raw)) continue;
    labels.set(value.raw, { raw: BigInt(value.raw), text: value.text });
  }
  return [...labels.values()];
};

interface End {
  readonly range: ScaledRange;
  readonly raw: bigint;
  readonly number: number;
}

const endOf = (range: ScaledRange, raw: bigint): End => ({
  range,
  raw,
  number: Number(range.factor) * Number(raw) + Number(range.offset),
});

const exactly = ({ range: { factor, offset }, raw }: End): DecimalText =>
  new LinearScale(requireDecimal(factor, 'factor'), requireDecimal(offset, 'offset')).textOf(raw);

/** Physical limits of all ranges together. */
const limitsOf = (ranges: readonly ScaledRange[]) => {
  const ends = ranges.flatMap((range) => [endOf(range, range.from), endOf(range, range.to)]);
  const least = ends.reduce((one, other) => (other.number < one.number ? other : one));
  const most = ends.reduce((one, other) => (other.number > one.number ? other : one));
  return { minimum: exactly(least), maximum: exactly(most) };
};

const scalarValues = (
  encoding: DraftEncoding,
  width: number,
  values: readonly ValueText[],
  problems: FileProblems,
): SignalValues => {
  const first = encoding.values.find((value) => value.kind === 'physical');
  if (first === undefined) return { ...plain, values };
  const highest = (1n << BigInt(width)) - 1n;
  const ranges: ScaledRange[] = [];
  for (const value of encoding.values) {
    if (value.kind === 'physical') ranges.push(rangeOf(value, highest, problems));
    else if (value.kind === 'logical' && value.text === '') {
      ranges.push({ from: BigInt(value.raw), to: BigInt(value.raw), ...identity });
    }
  }
  const { factor, offset, unit } = first;
  return { factor, offset, unit, ...limitsOf(ranges), values, ranges };
};

const arrayValues = (encoding: DraftEncoding | undefined): SignalValues => {
  const text = encoding?.values.find(({ kind }) => kind === 'bcd' || kind === 'ascii')?.kind;
  return { ...plain, array: text === 'bcd' || text === 'ascii' ? text : 'hex' };
};

/** How signals are shown and entered, by the encodings that represent them. */
export class ValueBuilder {
  readonly #bySignal = new Map<string, DraftEncoding>();
  /** By encoding and width: thousands of signals can share a large encoding. */
  readonly #scalars = new Map<DraftEncoding, Map<number, SignalValues>>();
  readonly #labels = new Map<DraftEncoding, readonly ValueText[]>();
  readonly #problems: FileProblems;

  constructor(
    { encodings, representations }: Draft,
    signals: Names<DraftSignal>,
    problems: FileProblems,
  ) {
    this.#problems = problems;
    const named = new Names<DraftEncoding>('signal encoding', problems).add(encodings);
    for (const representation of representations) {
      const encoding = named.find(representation);
      for (const reference of representation.signals) {
        const signal = signals.find(reference);
        if (encoding === null || signal === null) continue;
        if (!this.#bySignal.has(signal.name)) this.#bySignal.set(signal.name, encoding);
        else {
          problems.warn(
            'name_repeated',
            reference.at,
            `Signal ${shown(signal.name)} has two encodings`,
            'the first one used',
          );
        }
        this.#check(signal, encoding, reference.at);
      }
    }
  }

  valuesOf({ name, width, initial }: DraftSignal): SignalValues {
    const encoding = this.#bySignal.get(name);
    if (typeof initial !== 'number') return arrayValues(encoding);
    return encoding === undefined ? plain : this.#scalar(encoding, width);
  }

  #scalar(encoding: DraftEncoding, width: number): SignalValues {
    const byWidth = this.#scalars.get(encoding) ?? new Map<number, SignalValues>();
    this.#scalars.set(encoding, byWidth);
    const known = byWidth.get(width);
    if (known !== undefined) return known;
    const labels = this.#labels.get(encoding) ?? labelsOf(encoding.values);
    this.#labels.set(encoding, labels);
    const values = scalarValues(encoding, width, labels, this.#problems);
    if (byWidth.size > 0) this.#problems.keep(encoding.at, values.ranges?.length);
    byWidth.set(width, values);
    return values;
  }

  #check({ name, initial }: DraftSignal, { values }: DraftEncoding, at: number): void {
    const isArray = typeof initial !== 'number';
    // Only the first value: encodings do not mix numbers and byte arrays.
    const kind = values[0]?.kind;
    if (kind === undefined || (kind === 'bcd' || kind === 'ascii') === isArray) return;
    this.#problems.warn(
      'encoding_mismatch',
      at,
      isArray
        ? `Signal ${shown(name)} is a byte array, and its encoding is for numbers`
        : `Signal ${shown(name)} is a number, and its encoding is for byte arrays`,
      'the values that do not fit ignored',
    );
  }
}
