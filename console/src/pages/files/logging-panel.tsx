import { call, type Logging } from '../../api/client.ts';
import { formatBytes, formatCount, formatInstant } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { ChannelChecks } from './channel-checks.tsx';
import { Figures, WorkError, WorkHeader } from './figures-list.tsx';
import { logging } from './work-resources.ts';

const form = schemaForm(
  'logging.start',
  { file: '', channels: [] as readonly string[], overwrite: false },
  [
    { key: 'file', label: 'File', class: 'pair', testId: 'logging-file' },
    {
      key: 'channels',
      label: 'Channels',
      class: 'all',
      hint: 'None ticked: all of them, and those opened later too',
      testId: 'logging-channels',
      render: (control) => <ChannelChecks {...control} />,
    },
    { key: 'overwrite', label: 'Overwrite', isAction: true, testId: 'logging-overwrite' },
  ],
);
const stop = act(async () => {
  await call('logging.stop');
  await logging.refresh();
});

const LoggingForm = () => (
  <FormView
    form={form}
    name="logging"
    submitId="logging-start"
    submitText="Start"
    onSubmit={async () => (await form.submit()) && logging.refresh()}
  />
);

const timeOf = (us: number | null): string => (us === null ? '–' : formatInstant(us));

const Counters = ({ record }: { readonly record: Logging }) => (
  <Figures
    testId="logging-figures"
    lines={[
      ['File', record.file],
      ['Channels', record.channels.map((each) => `${each.channel}: ${each.selector}`).join(', ')],
    ]}
    rows={[
      ['Frames', formatCount(record.frames)],
      ['Size', formatBytes(record.bytes)],
      ['Started', timeOf(record.started_at_us)],
      ['Gaps', formatCount(record.gaps)],
      ['Missed in gaps', formatCount(record.missed)],
      ['Stopped', timeOf(record.stopped_at_us)],
    ]}
  />
);

/** Writes the traffic of channels to a file. */
export const LoggingPanel = () => {
  const { data, error } = useResource(logging, 'files');
  const record = data.value;
  return (
    <Panel
      title="Logging"
      testId="logging"
      freshness={freshness(logging)}
      header={
        <WorkHeader
          name="logging"
          state={record?.state ?? null}
          isRunning={record?.state === 'running'}
          hint={record?.file === null ? 'Name a file to write, and start.' : null}
          stop={stop}
        />
      }
    >
      {record?.state !== 'running' && <LoggingForm />}
      <ErrorNotice error={stop.error.value ?? error.value} testId="logging-status-error" />
      <WorkError error={record?.error ?? null} testId="logging-failure" />
      {record && record.file !== null && <Counters record={record} />}
    </Panel>
  );
};
