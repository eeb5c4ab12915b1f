import type { CheckReport, CheckResult } from '../check-record.ts';
import {
  extentText,
  figureText,
  headline,
  legible,
  secondsText,
  subjectOf,
  verdictWords,
  violationsOmitted,
} from './report-words.ts';

export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly bad: (text: string) => string;
}

const same = (text: string): string => text;
const plain: Paint = { strong: same, faint: same, bad: same };

const excerptLines = ({ violations }: CheckResult, at: number): string[] => {
  const { excerpt } = violations[at] ?? { excerpt: [] };
  return excerpt.map(({ time_us, channel, text, is_violation }) => {
    const mark = is_violation ? '>' : ' ';
    return `    ${mark} ${secondsText(time_us).padStart(16)}  ${channel}  ${legible(text)}`;
  });
};

const violationLines = (check: CheckResult, paint: Paint): string[] => [
  ...check.violations.flatMap(({ time_us, message }, at) => [
    `  ${secondsText(time_us).padStart(16)}  ${legible(message)}`,
    // The first one shows what happened; the others only when.
    ...(at === 0 ? excerptLines(check, at).map((line) => paint.faint(line)) : []),
  ]),
  ...[violationsOmitted(check)].flatMap((text) => (text ? [`  ${' '.repeat(18)}${text}`] : [])),
];

const checkLines = (check: CheckResult, paint: Paint): string[] => {
  const { id, check: text, verdict, reason, figures } = check;
  const word = verdictWords[verdict].padEnd(verdictWords.not_observed.length);
  const title = `${legible(id)}  ${legible(text)}`;
  const lines = [`${verdict === 'passed' ? word : paint.bad(word)}  ${paint.strong(title)}`];
  if (reason !== null) lines.push(`  ${legible(reason)}`);
  if (figures.length > 0) lines.push(paint.faint(`  ${figures.map(figureText).join(', ')}`));
  return [...lines, ...violationLines(check, paint)];
};

export const renderTextReport = (report: CheckReport, paint = plain): string => {
  const title = headline(report);
  const lines = [
    report.verdict === 'passed' ? paint.strong(title) : paint.bad(title),
    paint.faint(`${subjectOf(report)}: ${extentText(report)}`),
    '',
    ...report.checks.flatMap((check) => checkLines(check, paint)),
  ];
  return `${lines.join('\n')}\n`;
};
