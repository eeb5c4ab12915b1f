import { useSignal } from '@preact/signals';
import { call, type Logging } from '../../api/client.ts';
import { formatBytes, formatCount, formatInstant } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { requestForm } from '../../forms/request-form.ts';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { ChannelChecks } from './channel-checks.tsx';
import { Figures, WorkError } from './figures-list.tsx';
import { WorkHeader } from './work-header.tsx';
import { logging } from './work-resources.ts';

const form = requestForm('logging.start');
const stop = act(async () => {
  await call('logging.stop');
  await logging.refresh();
});

const LoggingForm = () => {
  const file = useSignal('');
  const channels = useSignal<readonly string[]>([]);
  const overwrite = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = {
      file: file.value.trim(),
      ...(channels.value.length > 0 ? { channels: channels.value } : {}),
      ...(overwrite.value ? { overwrite: true } : {}),
    };
    const started = await form.submit({ body, visible: ['file', 'channels', 'overwrite'] });
    if (started) await logging.refresh();
  };
  return (
    <form class="line-form" noValidate onSubmit={submit} data-testid="logging-form">
      <div class="fields">
        <div class="pair">
          <TextField
            label="File"
            value={file.value}
            onInput={(text) => {
              file.value = text;
              form.touch('file');
            }}
            error={form.problemOf('file')}
            placeholder="drive.asc"
            testId="logging-file"
          />
        </div>
      </div>
      <ChannelChecks
        label="Channels"
        chosen={channels.value}
        onChange={(chosen) => {
          channels.value = chosen;
          form.touch('channels');
        }}
        hint="None ticked: all of them, and those opened later too"
        error={form.problemOf('channels')}
        testId="logging-channels"
      />
      <div class="actions">
        <SubmitButton form={form} testId="logging-start">
          Start
        </SubmitButton>
        <CheckField
          label="Overwrite"
          checked={overwrite.value}
          onChange={(checked) => {
            overwrite.value = checked;
          }}
          testId="logging-overwrite"
        />
      </div>
      <ErrorNotice error={form.error.value} testId="logging-error" />
    </form>
  );
};

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
