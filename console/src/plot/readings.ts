import type { SampleSeries } from '../samples/sample-series.ts';
import { type PlanState, type SignalChoice, stateOf } from '../samples/signal-choices.ts';
import { knownPlans, seriesOf } from '../samples/signals-state.ts';
import { sampleAt } from './statistics.ts';
import { cursorUs, nowUs } from './view-state.ts';

export const formatAge = (us: number): string => {
  const seconds = Math.max(0, us) / 1_000_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return '1 min 0 s';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
};

export const formatMean = (value: number | null): string => {
  if (value === null) return '–';
  const size = Math.abs(value);
  // Sums of larger numbers have already lost digits.
  if (size >= 1e9) return `≈${value.toExponential(5)}`;
  const shown = size < 1e6 ? Number(value.toPrecision(6)) : Math.round(value);
  return shown === value ? String(shown) : `≈${shown}`;
};

/** A signed time span with all its microseconds. */
export const formatSpan = (us: number): string => `${(us / 1_000_000).toFixed(6)} s`;

const legible = 9;

export const formatValue = (text: string): string => {
  if (!/^-?\d+\.\d+$/.test(text)) return text;
  const shown = String(Number(Number(text).toPrecision(legible)));
  return Number(shown) === Number(text) ? text : `≈${shown}`;
};

const digitsFor = (step: number): number =>
  Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));

export const formatTick = (instantUs: number, stepSeconds: number): string => {
  const us = Math.round(instantUs);
  const date = new Date(Math.floor(us / 1000));
  const face = [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const digits = digitsFor(stepSeconds);
  if (digits === 0) return face;
  const micros = String(us % 1_000_000).padStart(6, '0');
  return `${face}.${micros.slice(0, digits)}`;
};

export const remarksOn = (series: SampleSeries, plan: PlanState): readonly string[] => {
  const remarks: string[] = [];
  if (plan === 'expired') remarks.push('expired');
  else if (series.isStale && series.latest !== null) remarks.push('stale');
  if (plan === 'channel_closed') remarks.push('channel_closed');
  if (series.latest?.valid === false) remarks.push('invalid');
  if (series.latest === null && plan === 'active') remarks.push('no sample yet');
  return remarks;
};

/** Whether no newer value is received at the moment. */
export const isPast = (remarks: readonly string[]): boolean =>
  remarks.includes('stale') || remarks.includes('expired');

export const remarksOnChoice = (choice: SignalChoice): readonly string[] =>
  remarksOn(seriesOf(choice), stateOf(choice, knownPlans.value));

const textWith = (
  series: SampleSeries,
  index: number | null,
  format: (text: string) => string,
): string => {
  if (index === null) return '–';
  const label = series.labelAt(index);
  const text = format(series.textAt(index) ?? 'no value');
  return label === null ? text : `${label} (${text})`;
};

export const valueText = (series: SampleSeries, index: number | null): string =>
  textWith(series, index, formatValue);

/** With all digits that the service sent. */
export const exactText = (series: SampleSeries, index: number | null): string =>
  textWith(series, index, (text) => text);

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
