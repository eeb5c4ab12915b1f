import type { Signal, ValueText } from '../database/model.ts';
import { isWide } from './raw-values.ts';

type Raw = number | bigint;

/**
 * The raw value that an entry means besides the one written: with 8 bits, a signed signal shows
 * 255 as −1, and an unsigned one −1 as 255. Null where there is none.
 */
const alternative = ({ kind, length }: Signal, { raw }: ValueText): bigint | null => {
  const values = 1n << BigInt(length);
  if (kind === 'signed') return raw >= values / 2n && raw < values ? raw - values : null;
  return kind === 'unsigned' && raw < 0n && raw >= -values / 2n ? raw + values : null;
};

const tableOf = (signal: Signal): ReadonlyMap<Raw, string> => {
  const keyOf = isWide(signal) ? (raw: bigint): Raw => raw : Number;
  const table = new Map<Raw, string>();
  for (const entry of signal.values) {
    const raw = alternative(signal, entry);
    if (raw !== null) table.set(keyOf(raw), entry.text);
  }
  // Last, as what is written counts more than what may be meant; of equal ones the later counts.
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
