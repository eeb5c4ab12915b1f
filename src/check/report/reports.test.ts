import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../base/testing/long.ts';
import type { CheckReport, CheckResult } from '../check-record.ts';
import { elementsOf, type MarkupElement, readMarkup } from '../testing/read-markup.ts';
import { passedCheck, sampleCheck, sampleReport, unseenCheck } from '../testing/sample-report.ts';
import { reportRenderer } from './render-report.ts';
import { renderTextReport } from './text-report.ts';

const text = reportRenderer('report.txt', 'report');
const junit = reportRenderer('REPORT.XML', 'report');
const html = reportRenderer('a/report.html', 'report');
const voidElements = ['meta'];

const all = [sampleCheck(), passedCheck, unseenCheck];

describe('a report as text', () => {
  it('has the verdicts, and what the first violation looks like', () => {
    expect(text(sampleReport(all))).toBe(`1 of 3 checks failed, 1 was not observed
drive.blf: 2.000000 s from 2026-01-01T00:00:00.000Z, 1234 events, 1 gap (12 events lost)

failed        engine  cycle Engine 20ms +-10%
  1 of 99 cycle times is outside 18 ms to 22 ms
  count 100, mean 20.1235 ms
        1.031200 s  31.2 ms after the one before
            1.000000 s  1  100#00
    >       1.031200 s  1  100#01
passed        2  never bus_off
not observed  door  cycle Door 100ms +-10%
  No frame of Door was seen
`);
  });

  it.each([
    [[passedCheck], 'The check passed'],
    [[unseenCheck], 'The check was not observed'],
    [[passedCheck, passedCheck], 'All 2 checks passed'],
    [[passedCheck, unseenCheck, unseenCheck], '2 of 3 checks were not observed'],
    [[passedCheck, sampleCheck()], '1 of 2 checks failed'],
  ])('begins with the verdict of all', (checks, headline) => {
    expect(text(sampleReport(checks)).split('\n')[0]).toBe(headline);
  });

  it('says how many violations it does not show', () => {
    const lines = text(sampleReport([sampleCheck({ violation_total: 5000 })]));
    expect(lines).toContain('4999 further violations not shown');
  });

  it('paints what is bad', () => {
    const mark = (text: string): string => `<${text}>`;
    const same = (text: string): string => text;
    const painted = renderTextReport(sampleReport(all), { strong: same, faint: same, bad: mark });
    expect(painted).toContain('<failed      >');
    expect(painted).not.toContain('<passed');
  });
});

/** Allowed children and required attributes, by the schemas of Jenkins and of Ant. */
const junitElements: Readonly<Record<string, readonly [children: RegExp, ...string[]]>> = {
  testsuites: [/^(testsuite )+$/],
  testsuite: [
    /^properties (testcase )*system-out system-err $/,
    ...['name', 'package', 'id', 'timestamp', 'hostname', 'tests', 'failures', 'errors', 'time'],
  ],
  properties: [/^(property )*$/],
  property: [/^$/, 'name', 'value'],
  testcase: [/^((skipped|failure) )?$/, 'name', 'classname', 'time'],
  skipped: [/^$/, 'message'],
  failure: [/^$/, 'message', 'type'],
  'system-out': [/^$/],
  'system-err': [/^$/],
};

const readJunit = (report: CheckReport): MarkupElement => {
  const root = readMarkup(junit(report));
  for (const { name, attributes, children } of elementsOf(root)) {
    const [allowed, ...required] = junitElements[name] ?? [/(?!)/];
    expect(children.map((child) => `${child.name} `).join('')).toMatch(allowed);
    expect(required.filter((each) => attributes[each] === undefined)).toEqual([]);
  }
  return root;
};

describe('a report as JUnit XML', () => {
  it('has a test case for each check, skipped if it was not observed', () => {
    const [suite] = readJunit(sampleReport(all)).children;
    expect(suite?.attributes).toMatchObject({
      name: 'checks of drive.blf',
      tests: '3',
      failures: '1',
      skipped: '1',
      errors: '0',
      timestamp: '2026-01-01T00:00:00',
      time: '2.000',
    });
    const cases = suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    const found = cases.map(({ attributes, children: [outcome] }) => [
      attributes.name,
      outcome?.name,
      outcome?.attributes.message,
    ]);
    expect(found).toEqual([
      ['engine', 'failure', '1 of 99 cycle times is outside 18 ms to 22 ms'],
      ['never bus_off', undefined, undefined],
      ['door', 'skipped', 'No frame of Door was seen'],
    ]);
    const [{ text: failure } = { text: '' }] = cases[0]?.children ?? [];
    expect(failure).toContain('1.031200 s  31.2 ms after the one before\n');
    expect(failure).toContain('  > 1.031200 s  1  100#01\n');
  });

  it('has a time stamp without a start of the trace', () => {
    const [suite] = readJunit(sampleReport(all, { started_at_us: null })).children;
    expect(suite?.attributes.timestamp).toBe('1970-01-01T00:00:00');
  });
});

describe('a report as HTML', () => {
  const page = html(sampleReport(all));

  it('shows verdicts, figures, plots, violations with their frames, and the environment', () => {
    const elements = elementsOf(readMarkup(page, voidElements));
    const texts = elements.map((element) => element.text);
    expect(texts).toEqual(
      expect.arrayContaining([
        '1 of 3 checks failed, 1 was not observed',
        'cycle Engine 20ms +-10%',
        'No frame of Door was seen',
        '20.1235 ms',
        '100#01',
        'SIM00001/0',
        'cd'.repeat(32),
        'ab'.repeat(32),
        'Busbar 0.1.0, Node v22.0.0, linux x64',
      ]),
    );
    const svgs = elements.filter(({ name }) => name === 'svg');
    expect(svgs).toHaveLength(1);
    const [svg] = svgs;
    expect(svg?.attributes['aria-label']).toBe('cycle time in ms over time: 19.9 to 31.2');
    expect(svg?.children.filter(({ attributes }) => attributes.class === 'limit')).toHaveLength(2);
    expect(svg?.children.filter(({ attributes }) => attributes.class === 'mark')).toHaveLength(1);
  });

  it('needs nothing else: no script, no address, no handler', () => {
    const elements = elementsOf(readMarkup(page, voidElements));
    const names = new Set(elements.map(({ name }) => name));
    for (const name of ['script', 'link', 'img', 'iframe', 'object', 'base', 'form']) {
      expect(names).not.toContain(name);
    }
    const attributes = elements.flatMap((element) => Object.entries(element.attributes));
    expect(attributes.filter(([name]) => /^(src|on.*|style|srcset)$/.test(name))).toEqual([]);
    const links = attributes.filter(([name]) => name === 'href').map(([, value]) => value);
    expect(links).toEqual(['#check-0', '#check-1', '#check-2']);
    const [style] = elements.filter(({ name }) => name === 'style');
    expect(style?.text).not.toMatch(/url\(|@import/);
    expect(style?.text).toContain('@media print');
    expect(style?.text).toContain('color-scheme: light dark');
  });

  it('stays small with many violations and checks, and shows failed ones first', () => {
    const [violation] = sampleCheck().violations;
    const [row] = violation?.excerpt ?? [];
    const excerpt = Array.from({ length: 1000 }, () => row as NonNullable<typeof row>);
    const violations = Array.from({ length: 5000 }, () => ({ ...violation, excerpt }));
    const many = sampleCheck({ violations: violations as never, violation_total: 5000 });
    const page = html(sampleReport([passedCheck, ...Array.from({ length: 999 }, () => many)]));
    expect(page.length).toBeLessThan(5_000_000);
    expect(page).toContain('4990 further violations not shown');
    expect(page).toMatch(/<p>\d+ checks are shown in the table only\.<\/p>/);
    expect(page.indexOf('id="check-1"')).toBeGreaterThan(0);
    expect(page).not.toContain('id="check-0"');
    readMarkup(page, voidElements);
  });

  it('draws a single value, equal values and huge ones', () => {
    const plots = [[3], [5, 5], [1e300, -1e300], [1e-9, 2e-9]].map((values) => ({
      ...(sampleCheck().plot as NonNullable<CheckResult['plot']>),
      low: null,
      high: null,
      points: values.map((value, at) => ({ time_us: at, min: value, max: value })),
    }));
    const page = html(sampleReport(plots.map((plot) => sampleCheck({ plot }))));
    expect(page).not.toMatch(/NaN|Infinity/);
    expect(page.match(/<polygon/g)).toHaveLength(4);
  });
});

describe('texts that come from elsewhere', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      ']]>',
      '\u001b[2J',
      '\ud800',
      '\u202egnp.exe',
    ),
  );

  it('neither break out of a report nor reach a terminal as control characters', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const check = sampleCheck({
          ...{ id: one, check: other, reason: one },
          figures: [{ name: one, value: 1, unit: other }],
          violations: [
            {
              ...{ time_us: 1, event: 1, message: one },
              excerpt: [{ time_us: 1, event: 1, channel: 1, text: other, is_violation: true }],
            },
          ],
          plot: {
            name: one,
            unit: other,
            low: 0,
            high: 1,
            points: [{ time_us: 0, min: 0, max: 1 }],
          },
        });
        const base = sampleReport([check, { ...check, verdict: 'not_observed' }]);
        const report = {
          ...base,
          environment: {
            ...base.environment,
            platform: one,
            databases: [{ file: one, channel: other, size: 1, sha256: other }],
          },
        };
        readJunit(report);
        const names = elementsOf(readMarkup(html(report), voidElements)).map(({ name }) => name);
        expect(names).not.toContain('script');
        expect(names).not.toContain('img');
        expect(text(report)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
        expect(JSON.parse(reportRenderer('x.json', 'report')(report))).toEqual(
          JSON.parse(JSON.stringify(report)),
        );
      }),
      { numRuns: cases(25, 500) },
    );
  });
});

describe('the ending of a report file', () => {
  it.each(['report', 'report.pdf', 'html', 'report.xml.gz'])('is refused: %s', (file) => {
    expect(() => reportRenderer(file, 'report')).toThrowError(
      expect.objectContaining({
        code: 'invalid_argument',
        details: { field: 'report', path: file },
      }),
    );
  });
});
