import type { Signal } from '../database/model.ts';
import { isFloat, rawOfWritten } from '../database/raw-span.ts';
import { isWide } from './raw-values.ts';

type Raw = number | bigint;

const tableOf = (signal: Signal): ReadonlyMap<Raw, string> => {
  const keyOf = isWide(signal) ? (raw: bigint): Raw => raw : Number;
  const table = new Map<Raw, string>();
  for (const { raw, text } of isFloat(signal) ? [] : signal.values) {
    const held = rawOfWritten(signal, raw);
    if (held !== null) table.set(keyOf(held), text);
  }
  // Last, as what is written counts more than what may be held; of equal ones the later counts.
  for (const { raw, text } of signal.values) table.set(keyOf(raw), text);
  return table;
};

/** The names that a database gives to raw values. */
export class ValueLabels {
  readonly #tables: readonly ReadonlyMap<Raw, string>[];

  constructor(signals: readonly Signal[]) {
    this.#tables = signals.map(tableOf);
  }

  /** The name of a raw value as `RawValues` gives it; null when it has none. */
  labelOf(number: number, raw: Raw): string | null {
    return this.#tables[number]?.get(raw) ?? null;
  }
}
