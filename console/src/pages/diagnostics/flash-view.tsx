import { signal } from '@preact/signals';
import type { Answer, Job } from '../../api/client.ts';
import { counted, formatBytes, formatInstant, formatMicroseconds } from '../../format/figures.ts';
import { FileField } from '../../forms/controls.tsx';
import { durationText, isUnderWay } from '../../forms/job-facts.ts';
import { JobProgress } from '../../forms/job-progress.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { jobs } from '../../state/bench.ts';
import { jsonFiles } from '../../state/project-files.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ScrollArea } from '../../ui/panel.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { flashJobsOf, progressText, reportOf } from './flash-jobs.ts';

const form = schemaForm('uds.flash', { file: '', sequence: '', address: '' }, [
  { key: 'file', label: 'Image', class: 'wide', placeholder: 'image.hex', testId: 'flash-file' },
  {
    key: 'sequence',
    label: 'Sequence of steps',
    class: 'wide',
    placeholder: 'steps.json',
    testId: 'flash-sequence',
    render: (control) => <FileField {...control} files={jsonFiles} />,
  },
  {
    key: 'address',
    label: 'Address of a .bin',
    placeholder: '0x08000000',
    isShown: (draft) => isBinary(draft),
    testId: 'flash-address',
  },
]);

const picked = signal<string | null>(null);

const outcomeText = (job: Job): string => {
  if (job.error) return `${job.error.code}: ${job.error.message}`;
  const report = reportOf(job);
  if (report) return `${formatBytes(report.bytes)}, ${counted(report.requests, 'request')}`;
  return job.progress ? progressText(job.progress) : '';
};

const columns: readonly Column<Job>[] = [
  states('state', 'State', 108, ({ state }) => state),
  column('outcome', 'Outcome', 240, outcomeText, { least: 140, grows: true }),
  column('created', 'Started', 108, (job) => formatInstant(job.created_at_us), { spare: 1 }),
  column('took', 'Duration', 80, durationText, { align: 'end' }),
];

const Report = ({ of }: { readonly of: NonNullable<ReturnType<typeof reportOf>> }) => (
  <ScrollArea class="flash-report">
    <div class="stack" data-testid="flash-report">
      <p>
        <code>{of.file}</code> by <code>{of.sequence}</code>: {formatBytes(of.bytes)} in{' '}
        {counted(of.segments.length, 'segment')}, {counted(of.requests, 'request')},{' '}
        {counted(of.pending, 'pending response')}, {formatMicroseconds(of.duration_us)}
      </p>
      <PlainTable
        rows={of.steps}
        keyOf={(_, index) => index}
        columns={[
          ['Step', ({ name }) => name, 'wrap'],
          ['Requests', ({ requests }) => requests, 'number'],
          ['Duration', ({ duration_us }) => formatMicroseconds(duration_us), 'number'],
        ]}
      />
    </div>
  </ScrollArea>
);

const isBinary = ({ file }: { readonly file: string }): boolean => /\.bin$/i.test(file.trim());

const start = async (ecu: string): Promise<void> => {
  const draft = form.draft.peek();
  const lacksAddress = isBinary(draft) && draft.address.trim() === '';
  const problems = lacksAddress ? [{ field: 'address', message: 'Required' }] : [];
  const job: Answer<'uds.flash'> | null = await form.submit({ params: { ecu }, problems });
  if (!job) return;
  picked.value = job.job_id;
  await jobs.refresh();
};

export const FlashView = ({ ecu }: { readonly ecu: string }) => {
  const { data } = useResource(jobs, 'diagnostics');
  const rows = flashJobsOf(data.value?.jobs ?? [], ecu);
  const active = rows.find(isUnderWay);
  const chosen = rows.find(({ job_id }) => job_id === picked.value) ?? rows[0];
  const report = chosen && reportOf(chosen);
  return (
    <>
      <FormView
        form={form}
        name="flash"
        submitId="flash-start"
        submitText="Flash"
        isOneLine
        onSubmit={() => start(ecu)}
      />
      <JobProgress
        name="flash"
        label="Flash progress"
        job={active ?? null}
        text={progressText}
        cancelTitle="What was written to the ECU remains"
      />
      <DataTable<Job>
        id="flash-jobs"
        label={`Flash jobs of ${ecu}`}
        columns={columns}
        rows={rows}
        keyOf={({ job_id }) => job_id}
        selected={({ job_id }) => job_id === chosen?.job_id}
        onSelect={({ job_id }) => {
          picked.value = job_id;
        }}
        rowAttributes={({ job_id, state }) => ({ 'data-job': job_id, 'data-state': state })}
        empty="Not flashed yet. The sequence names the steps: sessions, security, download."
      />
      {report && <Report of={report} />}
    </>
  );
};
