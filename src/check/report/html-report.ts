import type { CheckReport, CheckResult } from '../check-record.ts';
import { environmentHtml } from './environment-html.ts';
import { htmlStyles } from './html-styles.ts';
import { escaped } from './markup.ts';
import { plotSvg } from './plot-svg.ts';
import {
  extentText,
  figureText,
  headline,
  instantText,
  numberText,
  secondsText,
  subjectOf,
  verdictWords,
  violationsOmitted,
} from './report-words.ts';

/** Characters of all details; a browser still opens them quickly. */
const maxDetails = 4_000_000;
const maxViolations = 10;
const maxExcerptRows = 64;

type Violation = CheckResult['violations'][number];

const verdictHtml = ({ verdict }: Pick<CheckResult, 'verdict'>): string =>
  `<span class="${verdict}">${verdictWords[verdict]}</span>`;

const summaryRow = (check: CheckResult, at: number): string => {
  const what = check.reason ?? check.figures.map(figureText).join(', ');
  return `<tr><td>${verdictHtml(check)}</td><td><a href="#check-${at}">${escaped(check.id)}</a></td><td><code>${escaped(check.check)}</code></td><td>${escaped(what)}</td></tr>`;
};

const excerptHtml = ({ excerpt }: Violation): string => {
  if (excerpt.length === 0) return '';
  const rows = excerpt
    .slice(0, maxExcerptRows)
    .map(
      ({ time_us, event, channel, text, is_violation }) =>
        `<tr${is_violation ? ' class="hit"' : ''}><td>${secondsText(time_us)}</td><td>${event}</td><td>${channel}</td><td>${escaped(text)}</td></tr>`,
    );
  return `<table class="excerpt"><thead><tr><th>time</th><th>event</th><th>channel</th><th>frame</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
};

const violationHtml = (violation: Violation, startedAtUs: number | null): string => {
  const { time_us, event, message } = violation;
  const at = startedAtUs === null ? '' : `, ${instantText(startedAtUs + time_us)}`;
  const which = event === null ? '' : `, event ${event}`;
  return `<li><p>${escaped(message)} <small>at ${secondsText(time_us)}${at}${which}</small></p>
${excerptHtml(violation)}</li>`;
};

const violationsHtml = (check: CheckResult, startedAtUs: number | null): string => {
  const { violations } = check;
  if (violations.length === 0) return '';
  const shown = violations.slice(0, maxViolations);
  const more = violationsOmitted({ ...check, violations: shown });
  const items = shown.map((violation) => violationHtml(violation, startedAtUs));
  return `<ol>\n${items.join('\n')}\n</ol>${more === null ? '' : `<p><small>${more}</small></p>`}`;
};

const figuresHtml = ({ figures }: CheckResult): string => {
  if (figures.length === 0) return '';
  const items = figures.map(
    ({ name, value, unit }) =>
      `<div><dt>${escaped(name)}</dt><dd>${numberText(value)} ${escaped(unit)}</dd></div>`,
  );
  return `<dl class="figures">${items.join('')}</dl>`;
};

const plotHtml = (check: CheckResult): string => {
  const { plot } = check;
  if (plot === null || plot.points.length === 0) return '';
  const caption = plot.unit === '' ? plot.name : `${plot.name} in ${plot.unit}`;
  return `<figure><figcaption>${escaped(caption)}</figcaption>${plotSvg(check, plot)}</figure>`;
};

const checkHtml = (check: CheckResult, at: number, startedAtUs: number | null): string =>
  `<section id="check-${at}">
<h2>${verdictHtml(check)} ${escaped(check.id)}</h2>
<p><code>${escaped(check.check)}</code></p>
${check.reason === null ? '' : `<p>${escaped(check.reason)}</p>`}
${figuresHtml(check)}
${plotHtml(check)}
${violationsHtml(check, startedAtUs)}
</section>`;

/** Failed checks first: if there is too much to show, the others are omitted. */
const detailsHtml = ({ checks, started_at_us }: CheckReport): string => {
  const order = ['failed', 'not_observed', 'passed'];
  const numbered = checks.map((check, at) => ({ check, at }));
  const sorted = numbered.sort(
    (one, other) => order.indexOf(one.check.verdict) - order.indexOf(other.check.verdict),
  );
  const sections: string[] = [];
  let length = 0;
  for (const { check, at } of sorted) {
    const section = checkHtml(check, at, started_at_us);
    length += section.length;
    if (length > maxDetails) break;
    sections.push(section);
  }
  const omitted = sorted.length - sections.length;
  if (omitted > 0) sections.push(`<p>${omitted} checks are shown in the table only.</p>`);
  return sections.join('\n');
};

/** One file without scripts and references, in light and dark, on screen and on paper. */
export const renderHtmlReport = (report: CheckReport): string => {
  const { checks, environment } = report;
  const title = headline(report);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(`${title}: ${subjectOf(report)}`)}</title>
<style>${htmlStyles}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${escaped(subjectOf(report))}: ${escaped(extentText(report))}</p>
</header>
<main>
<table class="summary"><thead><tr><th>verdict</th><th>name</th><th>check</th><th>found</th></tr></thead><tbody>
${checks.map(summaryRow).join('\n')}
</tbody></table>
${detailsHtml(report)}
${environmentHtml(environment)}
</main>
</body>
</html>
`;
};
