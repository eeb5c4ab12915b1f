import type { CheckEnvironment, CheckReport, CheckResult } from '../check-record.ts';
import { attributes, escaped } from './markup.ts';
import {
  figureText,
  instantText,
  secondsText,
  subjectOf,
  violationsOmitted,
} from './report-words.ts';
import { renderTextReport } from './text-report.ts';

const lines = (text: readonly string[]): string => text.map(escaped).join('\n');

const failureText = (check: CheckResult): string =>
  lines([
    ...check.violations.flatMap(({ time_us, message, excerpt }) => [
      `${secondsText(time_us)}  ${message}`,
      ...excerpt.map(
        ({ time_us: at, channel, text, is_violation }) =>
          `  ${is_violation ? '>' : ' '} ${secondsText(at)}  ${channel}  ${text}`,
      ),
    ]),
    ...[violationsOmitted(check) ?? []].flat(),
    check.figures.map(figureText).join(', '),
  ]);

const outcomeOf = (check: CheckResult): string => {
  const message = check.reason ?? check.violations[0]?.message ?? check.check;
  if (check.verdict === 'not_observed') return `<skipped${attributes({ message })}/>`;
  if (check.verdict === 'passed') return '';
  return `<failure${attributes({ message, type: 'check' })}>${failureText(check)}</failure>`;
};

/** A number is no name: with another order of checks it would be another check. */
const nameOf = ({ id, check }: CheckResult): string => (/^\d*$/.test(id) ? check : id);

const caseOf = (check: CheckResult, classname: string): string => {
  const named = attributes({ name: nameOf(check), classname, time: 0 });
  return `<testcase${named}>${outcomeOf(check)}</testcase>`;
};

const propertiesOf = (environment: CheckEnvironment): string => {
  const { trace, channels, databases, ...versions } = environment;
  const values: [name: string, value: string][] = [
    ...Object.entries(versions),
    ...(trace?.sha256 ? [['trace_sha256', trace.sha256] as [string, string]] : []),
    ...databases.map(({ file, sha256 }): [string, string] => [`database ${file}`, sha256]),
    ...channels.map(({ channel, ...settings }): [string, string] => [
      `channel ${channel}`,
      Object.values(settings)
        .filter((value) => value !== null)
        .join(' '),
    ]),
  ];
  return values
    .map(([name, value]) => `<property${attributes({ name, value })}/>`)
    .join('\n      ');
};

/** JUnit XML, valid by the schemas of Jenkins and of Ant. */
export const renderJunitReport = (report: CheckReport): string => {
  const { checks, failed, not_observed, started_at_us, duration_us, environment } = report;
  const subject = subjectOf(report);
  const suite = attributes({
    name: `checks of ${subject}`,
    package: 'busbar',
    id: 0,
    timestamp: instantText(started_at_us ?? 0).slice(0, 19),
    hostname: 'localhost',
    tests: checks.length,
    failures: failed,
    errors: 0,
    skipped: not_observed,
    time: (duration_us / 1e6).toFixed(3),
  });
  const output = lines(renderTextReport(report).split('\n'));
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite${suite}>
    <properties>
      ${propertiesOf(environment)}
    </properties>
    ${checks.map((check) => caseOf(check, subject)).join('\n    ')}
    <system-out>${output}</system-out>
    <system-err></system-err>
  </testsuite>
</testsuites>
`;
};
