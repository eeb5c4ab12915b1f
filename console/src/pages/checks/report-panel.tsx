import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { renderHtmlReport } from '../../../../src/check/report/html-report.ts';
import { renderJunitReport } from '../../../../src/check/report/junit-report.ts';
import {
  extentText,
  figureText,
  headline,
  secondsText,
  subjectOf,
  verdictWords,
  violationsOmitted,
} from '../../../../src/check/report/report-words.ts';
import { type CheckReport, type CheckResult, call, type Job } from '../../api/client.ts';
import { isUnderWay } from '../../forms/job-facts.ts';
import { resource } from '../../state/resource.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel, ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { StateMark, states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { chosenJob } from './checks-state.ts';

const reportOf = ({ kind, result }: Job): CheckReport | null =>
  kind === 'check' && result !== null && 'checks' in result ? result : null;

const files = [
  { title: 'HTML', name: 'report.html', type: 'text/html', render: renderHtmlReport },
  { title: 'JUnit XML', name: 'report.xml', type: 'application/xml', render: renderJunitReport },
  {
    title: 'JSON',
    name: 'report.json',
    type: 'application/json',
    render: (report: CheckReport) => `${JSON.stringify(report, null, 2)}\n`,
  },
] as const;

const SaveButtons = ({ report }: { readonly report: CheckReport }) => (
  <>
    <span class="quiet">Save as</span>
    {files.map(({ title, name, type, render }) => (
      <button
        key={name}
        type="button"
        aria-label={`Save as ${title}`}
        data-testid={`check-save-${name}`}
        onClick={() => saveFile(new Blob([render(report)], { type }), name)}
      >
        {title}
      </button>
    ))}
  </>
);

type Violation = CheckResult['violations'][number];

interface ViolationProps {
  readonly of: Violation;
  readonly isLive: boolean;
}

const ViolationView = ({ of, isLive }: ViolationProps) => (
  <section data-testid="check-violation">
    <h3>
      {secondsText(of.time_us)}
      {of.event !== null && `, event ${of.event}`}
    </h3>
    <p>
      {of.message}
      {isLive && of.event !== null && (
        <>
          {' '}
          <a href={`#trace?event=${of.event}`} data-testid="check-show-event">
            Show in the trace
          </a>
        </>
      )}
    </p>
    {of.excerpt.length > 0 && (
      <PlainTable
        class="excerpt"
        rows={of.excerpt}
        keyOf={(_, index) => index}
        rowAttributes={({ is_violation }) => ({ 'data-violation': is_violation ? '' : undefined })}
        columns={[
          ['', ({ is_violation }) => (is_violation ? '▶' : '')],
          ['Time', ({ time_us }) => secondsText(time_us), 'number mono'],
          ['Event', ({ event }) => event, 'number'],
          ['Channel', ({ channel }) => channel, 'number'],
          ['Frame', ({ text }) => text, 'mono wrap'],
        ]}
      />
    )}
  </section>
);

interface ResultProps {
  readonly of: CheckResult;
  readonly isLive: boolean;
}

const ResultView = ({ of, isLive }: ResultProps) => (
  <ScrollArea class="check-result">
    <div class="stack" data-testid="check-result">
      <h3>{of.check}</h3>
      {of.reason !== null && <p>{of.reason}</p>}
      {of.figures.length > 0 && (
        <p class="quiet" data-testid="check-figures">
          {of.figures.map(figureText).join(', ')}
        </p>
      )}
      {of.violations.map((violation, index) => (
        <ViolationView key={index} of={violation} isLive={isLive} />
      ))}
      {of.violation_total > of.violations.length && <p class="quiet">{violationsOmitted(of)}.</p>}
    </div>
  </ScrollArea>
);

const columns: readonly Column<CheckResult>[] = [
  states('verdict', 'Verdict', 132, ({ verdict }) => verdict),
  column('id', 'Name', 96, ({ id }) => id, { least: 56 }),
  column('check', 'Check', 260, ({ check }) => check, { least: 140, grows: true, mono: true }),
  numbers('violations', 'Violations', 84, ({ violation_total }) => violation_total),
  column('reason', 'Reason', 220, ({ reason }) => reason ?? '', { spare: 1, grows: true }),
];

const Results = ({ report }: { readonly report: CheckReport }) => {
  const { checks } = report;
  const picked = useSignal<string | null>(null);
  const notable = checks.find(({ verdict }) => verdict !== 'passed') ?? checks[0];
  const shown = checks.find(({ id }) => id === picked.value) ?? notable;
  return (
    <>
      <p class="check-headline" data-testid="check-headline">
        <strong>{headline(report)}.</strong> {subjectOf(report)}: {extentText(report)}
      </p>
      <DataTable<CheckResult>
        id="check-results"
        label="Results"
        columns={columns}
        rows={checks}
        keyOf={({ id }) => id}
        selected={({ id }) => id === shown?.id}
        onSelect={({ id }) => {
          picked.value = id;
        }}
        rowAttributes={({ id, verdict }) => ({ 'data-check': id, 'data-verdict': verdict })}
      />
      {shown && <ResultView key={shown.id} of={shown} isLive={report.source === 'live'} />}
    </>
  );
};

/** The list of jobs has no reports, so the job is read when it has succeeded. */
const Report = ({ job_id }: { readonly job_id: string }) => {
  const source = useMemo(() => resource(() => call('job.show', { job_id })), [job_id]);
  const { data, error } = useResource(source);
  const report = data.value && reportOf(data.value);
  return (
    <Panel
      title="Report"
      testId="check-report"
      freshness={freshness(source)}
      header={
        report && (
          <StateMark
            state={report.verdict}
            label={verdictWords[report.verdict]}
            testId="check-verdict"
            live
          />
        )
      }
      actions={report && <SaveButtons report={report} />}
    >
      <ErrorNotice error={error.value} testId="check-report-error" />
      {report && <Results report={report} />}
    </Panel>
  );
};

export const ReportPanel = () => {
  const job = chosenJob.value;
  if (job?.state === 'succeeded') return <Report key={job.job_id} job_id={job.job_id} />;
  return (
    <Panel title="Report" testId="check-report">
      {job?.error ? (
        <Notice tone="bad" testId="check-failure">
          <p>
            <code>{job.error.code}</code> {job.error.message}
          </p>
        </Notice>
      ) : (
        <p class="empty">
          {job && isUnderWay(job) ? 'The checks are running.' : 'Run checks, or select a job.'}
        </p>
      )}
    </Panel>
  );
};
