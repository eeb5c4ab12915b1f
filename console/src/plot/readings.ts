import type { SampleSeries } from '../samples/sample-series.ts';
import { type PlanState, type SignalChoice, stateOf } from '../samples/signal-choices.ts';
import { knownPlans, seriesOf } from '../samples/signals-state.ts';
import { formatAge, formatValue } from './figures.ts';
import { sampleAt } from './statistics.ts';
import { cursorUs, nowUs } from './view-state.ts';

/** What there is to say about a signal besides its value, the gravest first; empty when all is well. */
export const remarksOn = (series: SampleSeries, plan: PlanState): readonly string[] => {
  const remarks: string[] = [];
  // What has expired is stale as well.
  if (plan === 'expired') remarks.push('expired');
  else if (series.isStale && series.latest !== null) remarks.push('stale');
  if (plan === 'channel_closed') remarks.push('channel_closed');
  if (series.latest?.valid === false) remarks.push('invalid');
  if (series.latest === null && plan === 'active') remarks.push('no sample yet');
  return remarks;
};

export const remarksOnChoice = (choice: SignalChoice): readonly string[] =>
  remarksOn(seriesOf(choice), stateOf(choice, knownPlans.value));

/** A value with its name, if it has one. */
export const valueText = (series: SampleSeries, index: number | null): string => {
  if (index === null) return '–';
  const label = series.labelAt(index);
  const text = formatValue(series.textAt(index) ?? 'no value');
  return label === null ? text : `${label} (${text})`;
};

/** How long the message of a signal has been silent, so that its value is no longer current; null while it is. */
export const silenceText = (series: SampleSeries): string | null => {
  const now = nowUs();
  if (!series.isSilentAt(now)) return null;
  return `${formatAge(now - series.timeAt(series.length - 1))} ago`;
};

/** What a signal was under the cursor; null while that points nowhere. It is asked at every beat. */
export const readingAtCursor = (series: SampleSeries): string | null => {
  const us = cursorUs.peek();
  return us === null ? null : valueText(series, sampleAt(series, us));
};
