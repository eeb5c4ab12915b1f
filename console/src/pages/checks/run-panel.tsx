import type { Job } from '../../api/client.ts';
import { formatInstant } from '../../format/figures.ts';
import { ChannelChecks } from '../../forms/channel-checks.tsx';
import { FileField } from '../../forms/controls.tsx';
import { durationText, isUnderWay } from '../../forms/job-facts.ts';
import { JobProgress } from '../../forms/job-progress.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { type Control, schemaForm } from '../../forms/schema-form.ts';
import { jobs } from '../../state/bench.ts';
import { jsonFiles } from '../../state/project-files.ts';
import { Field } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column } from '../../ui/table-columns.ts';
import {
  checksOf,
  databasesOf,
  draftProblems,
  emptyDraft,
  isLive,
  isOfTrace,
  namesOf,
} from './check-request.ts';
import { checkJobs, chosenJob, pickJob } from './checks-state.ts';

const lines = 4;

const ChecksField = ({
  label,
  value,
  error,
  hint,
  placeholder,
  testId,
  onChange,
}: Control<string>) => (
  <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
    {(attributes) => (
      <textarea
        {...attributes}
        rows={lines}
        spellcheck={false}
        value={value}
        placeholder={placeholder}
        data-testid={testId}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Field>
);

const form = schemaForm('check.start', emptyDraft, [
  {
    key: 'source',
    field: '',
    label: 'Checked',
    class: 'all',
    isSegmented: true,
    choices: [
      { value: 'trace', label: 'Trace file' },
      { value: 'live', label: 'Live traffic' },
    ],
    read: () => undefined,
    testId: 'check-source',
  },
  {
    key: 'trace',
    label: 'Trace file',
    class: 'wide',
    placeholder: 'drive.blf',
    isShown: isOfTrace,
    testId: 'check-trace',
  },
  {
    key: 'seconds',
    label: 'Time (s)',
    isShown: isLive,
    testId: 'check-seconds',
  },
  {
    key: 'channels',
    label: 'Channels',
    class: 'all',
    hint: 'None selected: all open channels',
    isShown: isLive,
    testId: 'check-channels',
    render: (control) => <ChannelChecks {...control} />,
  },
  {
    key: 'file',
    label: 'Check file',
    class: 'wide',
    placeholder: 'bus.checks.json',
    testId: 'check-file',
    render: (control) => <FileField {...control} files={jsonFiles} />,
  },
  {
    key: 'checks',
    label: 'Checks, one a line',
    class: 'all',
    placeholder: 'cycle Engine 20ms +-10%\nanswer 7E0#0322F190 with 7E8#??62F190 within 50ms',
    read: checksOf,
    testId: 'check-lines',
    render: ChecksField,
  },
  {
    key: 'databases',
    label: 'Databases',
    class: 'pair',
    placeholder: 'car.dbc, trailer.dbc@2',
    isShown: isOfTrace,
    read: databasesOf,
    testId: 'check-databases',
  },
  {
    key: 'bitrate',
    label: 'Bit rates',
    placeholder: '500k/2M',
    isShown: isOfTrace,
    read: namesOf,
    testId: 'check-bitrate',
  },
]);

/** A trace that another page names is checked next. */
export const checkTrace = (trace: string): void => form.change({ source: 'trace', trace });

const start = async (): Promise<void> => {
  const job = await form.submit({ problems: draftProblems(form.draft.peek()) });
  if (!job) return;
  pickJob(job.job_id);
  await jobs.refresh();
};

const outcomeText = ({ error, progress }: Job): string => {
  if (error) return `${error.code}: ${error.message}`;
  return progress ? progressText(progress) : '';
};

const progressText = ({ percent, name }: NonNullable<Job['progress']>): string =>
  `${percent.toFixed(1)} %, ${name}`;

const columns: readonly Column<Job>[] = [
  states('state', 'State', 112, ({ state }) => state),
  column('target', 'Checked', 136, ({ target }) => target || 'live', { least: 96, grows: true }),
  column('outcome', 'Outcome', 120, outcomeText, { spare: 1, grows: true }),
  column('created', 'Started', 108, (job) => formatInstant(job.created_at_us)),
  column('took', 'Duration', 76, durationText, { align: 'end' }),
];

export const RunPanel = () => {
  const active = checkJobs.value.find(isUnderWay) ?? null;
  return (
    <ListPanel<Job>
      name="check-jobs"
      title="Checks"
      label="Jobs of checks"
      source={jobs}
      columns={columns}
      rows={checkJobs.value}
      keyOf={({ job_id }) => job_id}
      selected={({ job_id }) => job_id === chosenJob.value?.job_id}
      onSelect={({ job_id }) => pickJob(job_id)}
      rowAttributes={({ job_id, state }) => ({ 'data-job': job_id, 'data-state': state })}
      empty="Nothing checked yet."
    >
      <FormView
        form={form}
        name="check"
        submitId="check-start"
        submitText="Run checks"
        onSubmit={start}
      />
      <JobProgress name="check" label="Progress of the checks" job={active} text={progressText} />
    </ListPanel>
  );
};
