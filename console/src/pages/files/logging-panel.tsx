import type { Logging } from '../../api/client.ts';
import { formatBytes, formatCount, formatInstant } from '../../format/figures.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { ChannelChecks } from './channel-checks.tsx';
import { Figures, WorkPanel } from './work-panel.tsx';
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
      hint: 'None selected: all channels, including new ones',
      testId: 'logging-channels',
      render: (control) => <ChannelChecks {...control} />,
    },
    {
      key: 'overwrite',
      label: 'Overwrite existing file',
      isAction: true,
      testId: 'logging-overwrite',
    },
  ],
);

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

export const LoggingPanel = () => (
  <WorkPanel
    name="logging"
    title="Logging"
    source={logging}
    stop="logging.stop"
    wasStarted={({ file }) => file !== null}
    hint="Enter a file name and press Start."
    form={<LoggingForm />}
  >
    {(record) => <Counters record={record} />}
  </WorkPanel>
);
