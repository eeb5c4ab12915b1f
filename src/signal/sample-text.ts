import { float32Text, float64Text } from '../base/decimal/float-text.ts';
import type { LinearScale } from '../base/decimal/linear-scale.ts';
import { textOfArray } from '../database/array-text.ts';
import type { Signal } from '../database/model.ts';
import { isFloat, rawOfWritten } from '../database/raw-span.ts';
import { ScaledRanges } from '../database/scaled-ranges.ts';
import { isWide, type Raw, type RawValues } from './raw-values.ts';
import { scaleOf } from './signal-scale.ts';

const tableOf = (signal: Signal): ReadonlyMap<Raw, string> => {
  const keyOf = isWide(signal) ? (raw: bigint): Raw => raw : Number;
  const table = new Map<Raw, string>();
  for (const { raw, text } of isFloat(signal) ? [] : signal.values) {
    const held = rawOfWritten(signal, raw);
    if (held !== null) table.set(keyOf(held), text);
  }
  // Last, because exact values take precedence over ranges; the later of equal ones wins.
  for (const { raw, text } of signal.values) table.set(keyOf(raw), text);
  return table;
};

export class ValueLabels {
  readonly #tables: readonly ReadonlyMap<Raw, string>[];

  constructor(signals: readonly Signal[]) {
    this.#tables = signals.map(tableOf);
  }

  labelOf(number: number, raw: Raw): string | null {
    return this.#tables[number]?.get(raw) ?? null;
  }
}

export interface SignalText {
  /**
   * The exact physical value; null for NaN, infinity and raw values without a physical one. An
   * unscaled float equals its raw text; a scaled one is computed from the exact number of its
   * bits. The value of a byte array is its text.
   */
  readonly value: string | null;
  /** An integer, the shortest decimal of a float, or `NaN`, `Infinity`, `-Infinity`. */
  readonly raw: string;
  readonly label: string | null;
  readonly unit: string;
}

const rawText = ({ kind }: Signal, raw: number | bigint): string => {
  if (typeof raw === 'bigint') return raw.toString();
  if (kind === 'float32') return float32Text(raw);
  return kind === 'float64' ? float64Text(raw) : String(raw);
};

const valueText = ({ kind }: Signal, scale: LinearScale, raw: number | bigint, text: string) => {
  const isInteger = kind === 'signed' || kind === 'unsigned';
  if (!isInteger && !Number.isFinite(raw)) return null;
  if (scale.isIdentity) return text;
  return isInteger ? scale.textOf(raw) : scale.textOfFloat(Number(raw));
};

interface Entry {
  readonly signal: Signal;
  readonly scale: LinearScale;
  readonly ranges: ScaledRanges | null;
}

export class SampleText {
  readonly #signals: readonly Entry[];
  readonly #labels: ValueLabels;

  constructor(signals: readonly Signal[]) {
    this.#signals = signals.map((signal) => ({
      signal,
      scale: scaleOf(signal),
      ranges: signal.ranges === undefined ? null : new ScaledRanges(signal.name, signal.ranges),
    }));
    this.#labels = new ValueLabels(signals);
  }

  textOf(values: RawValues, number: number): SignalText | null {
    const entry = this.#signals[number];
    const raw = values.get(number);
    if (entry === undefined || raw === null) return null;
    const { signal, scale, ranges } = entry;
    const text = rawText(signal, raw);
    const label = this.#labels.labelOf(number, raw);
    if (ranges !== null) {
      const { value = null, unit = '' } = ranges.textOf(raw) ?? {};
      return { value, raw: text, label, unit };
    }
    const { array, length, unit } = signal;
    const value =
      array === undefined
        ? valueText(signal, scale, raw, text)
        : textOfArray(BigInt(raw), length, array);
    return { value, raw: text, label, unit };
  }
}
