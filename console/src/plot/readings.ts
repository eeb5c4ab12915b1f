import type { SampleSeries } from '../samples/sample-series.ts';
import { type PlanState, type SignalChoice, stateOf } from '../samples/signal-choices.ts';
import { knownPlans, seriesOf } from '../samples/signals-state.ts';
import { formatAge, formatValue } from './figures.ts';
import { sampleAt } from './statistics.ts';
import { cursorUs, nowUs } from './view-state.ts';

export const remarksOn = (series: SampleSeries, plan: PlanState): readonly string[] => {
  const remarks: string[] = [];
  if (plan === 'expired') remarks.push('expired');
  else if (series.isStale && series.latest !== null) remarks.push('stale');
  if (plan === 'channel_closed') remarks.push('channel_closed');
  if (series.latest?.valid === false) remarks.push('invalid');
  if (series.latest === null && plan === 'active') remarks.push('no sample yet');
  return remarks;
};

export const remarksOnChoice = (choice: SignalChoice): readonly string[] =>
  remarksOn(seriesOf(choice), stateOf(choice, knownPlans.value));

export const valueText = (series: SampleSeries, index: number | null): string => {
  if (index === null) return '–';
  const label = series.labelAt(index);
  const text = formatValue(series.textAt(index) ?? 'no value');
  return label === null ? text : `${label} (${text})`;
};

/** Age of the last value if its message is overdue; null otherwise. */
export const silenceText = (series: SampleSeries): string | null => {
  const now = nowUs();
  if (!series.isSilentAt(now)) return null;
  return `${formatAge(now - series.timeAt(series.length - 1))} ago`;
};

export const readingAtCursor = (series: SampleSeries): string | null => {
  const us = cursorUs.peek();
  return us === null ? null : valueText(series, sampleAt(series, us));
};
