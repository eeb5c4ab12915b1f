import type { CheckEnvironment, CheckReport, CheckResult, Verdict } from './check-record.ts';
import type { CheckRun } from './check-run.ts';

const usOf = (ns: number): number => Math.floor(ns / 1000);

/** What a report says besides the results, from a run over all events. */
type RunExtent = Pick<CheckRun, 'events' | 'gaps' | 'missed' | 'firstNs' | 'nowNs'>;

interface ReportOptions {
  readonly source: CheckReport['source'];
  readonly startedAtUs: number | null;
  readonly environment: CheckEnvironment;
}

/**
 * The report of checks that have ended, live and on files alike. Live checks begin at time 0 and
 * end with their time, also on a silent bus.
 */
export const checkReport = (
  checks: readonly CheckResult[],
  { events, gaps, missed, firstNs, nowNs }: RunExtent,
  { source, startedAtUs, environment }: ReportOptions,
): CheckReport => {
  const count = (wanted: Verdict): number =>
    checks.filter(({ verdict }) => verdict === wanted).length;
  const [passed, failed, notObserved] = [count('passed'), count('failed'), count('not_observed')];
  return {
    verdict: failed > 0 ? 'failed' : notObserved > 0 ? 'not_observed' : 'passed',
    passed,
    failed,
    not_observed: notObserved,
    source,
    started_at_us: startedAtUs,
    duration_us: source === 'live' ? usOf(nowNs) : events === 0 ? 0 : usOf(nowNs - firstNs),
    events,
    gaps,
    missed,
    checks,
    environment,
  };
};
