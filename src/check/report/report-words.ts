import { printable } from '../../base/printable.ts';
import type { CheckFigure, CheckReport, CheckResult, Verdict } from '../check-record.ts';

export const verdictWords: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  not_observed: 'not observed',
};

const maxTextLength = 2000;

/** Text from a file as one line of limited length. */
export const legible = (text: string): string => {
  const line = printable(text);
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength - 1)}…` : line;
};

const significantDigits = 6;

export const numberText = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(significantDigits)));

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const secondsText = (us: number): string => `${(us / 1e6).toFixed(6)} s`;

export const instantText = (us: number): string => new Date(us / 1000).toISOString();

export const figureText = ({ name, value, unit }: CheckFigure): string =>
  legible(`${name} ${numberText(value)}${unit === '' ? '' : ` ${unit}`}`);

export const violationsOmitted = ({ violation_total, violations }: CheckResult): string | null => {
  const omitted = violation_total - violations.length;
  return omitted > 0 ? `${plural(omitted, 'further violation')} not shown` : null;
};

const together: Readonly<Record<Verdict, string>> = {
  passed: 'The check passed',
  failed: 'The check failed',
  not_observed: 'The check was not observed',
};

export const headline = (report: CheckReport): string => {
  const { passed, failed, not_observed, verdict } = report;
  const total = passed + failed + not_observed;
  if (total === 1) return together[verdict];
  if (passed === total) return `All ${total} checks passed`;
  const were = `${not_observed === 1 ? 'was' : 'were'} not observed`;
  if (failed === 0) return `${not_observed} of ${total} checks ${were}`;
  return `${failed} of ${total} checks failed${not_observed > 0 ? `, ${not_observed} ${were}` : ''}`;
};

export const subjectOf = ({ environment }: CheckReport): string =>
  legible(environment.trace?.file ?? 'live traffic');

/** What was checked: when, for how long, how many events, and what is missing. */
export const extentText = (report: CheckReport): string => {
  const { started_at_us, duration_us, events, gaps, missed } = report;
  const from = started_at_us === null ? '' : ` from ${instantText(started_at_us)}`;
  const lost = missed > 0 ? ` (${plural(missed, 'event')} lost)` : '';
  const missing = gaps > 0 ? `, ${plural(gaps, 'gap')}${lost}` : '';
  return `${secondsText(duration_us)}${from}, ${plural(events, 'event')}${missing}`;
};
