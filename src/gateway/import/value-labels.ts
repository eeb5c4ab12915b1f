import type { Signal } from '../../database/model.ts';
import { isFloat, rawOfWritten } from '../../database/raw-span.ts';
import type { SignalRow } from '../project/tables/signals.ts';
import type { SignalScale } from './signal-scale.ts';

type Labels = NonNullable<SignalRow['labels']>;

export interface ImportedLabels {
  readonly labels: Labels;
  /** Labels of raws whose values are not whole: a project has none for them. */
  readonly lost: number;
}

const wholeNumber = /^-?\d{1,39}$/;

/**
 * The names of values out of those of raws. They are metadata: no name makes a value invalid. Of two
 * names for one raw the later counts, and what is written counts more than what may be meant.
 */
export const labelsOf = (signal: Signal, { linear }: SignalScale): ImportedLabels => {
  const byRaw = new Map<bigint, { readonly label: string; readonly isWritten: boolean }>();
  for (const { raw: written, text } of signal.values) {
    const raw = isFloat(signal) ? written : rawOfWritten(signal, written);
    if (raw === null) continue;
    const isWritten = raw === written;
    if (isWritten || byRaw.get(raw)?.isWritten !== true) byRaw.set(raw, { label: text, isWritten });
  }
  const labels: Labels = [];
  for (const [raw, { label }] of byRaw) {
    const value = linear.textOf(raw);
    if (wholeNumber.test(value)) labels.push({ value, label });
  }
  return { labels, lost: byRaw.size - labels.length };
};
