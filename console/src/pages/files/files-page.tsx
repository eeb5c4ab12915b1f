import './files.css';
import { useEffect } from 'preact/hooks';
import type { Logging, Replay } from '../../api/client.ts';
import {
  formatBytes,
  formatCount,
  formatInstant,
  formatMicroseconds,
} from '../../format/figures.ts';
import { ChannelChecks } from '../../forms/channel-checks.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { bench, channels, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { Notice } from '../../ui/notice.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { DatabasesPanel } from './databases-panel.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { reasonsText } from './peer-columns.ts';
import { RemotePanel } from './remote-panel.tsx';
import { ReplayForm } from './replay-form.tsx';
import { Figures, WorkPanel } from './work-panel.tsx';
import { logging, replay } from './work-resources.ts';

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

const LoggingPanel = () => (
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

const skippedText = ({ frames_skipped, skipped }: Replay): string =>
  frames_skipped === 0 ? 'none' : `${formatCount(frames_skipped)}: ${reasonsText(skipped)}`;

const unreadText = ({ unread, truncated }: Replay): string => {
  const parts = [reasonsText(unread), truncated ? 'file truncated' : ''];
  return parts.filter((part) => part !== '').join('; ') || 'none';
};

const deviationText = ({ deviation_us: { count, p50, p99, max } }: Replay): string =>
  count === 0 ? '–' : `${p50} / ${p99} / ${max} µs`;

const channelsText = ({ channels }: Replay): string =>
  Object.entries(channels)
    .map(([from, to]) => `${from} → ${to}`)
    .join(', ');

const positionText = ({ position_us, duration_us }: Replay): string => {
  const end = duration_us === null ? '' : ` of ${formatMicroseconds(duration_us)}`;
  return `${formatMicroseconds(position_us)}${end}`;
};

const Report = ({ record }: { readonly record: Replay }) => (
  <>
    <div class="progress">
      <progress value={record.progress} max={1} aria-label="Replay progress" />
      <span>{(100 * record.progress).toFixed(0)} %</span>
      <span class="quiet">{positionText(record)}</span>
    </div>
    <Figures
      testId="replay-figures"
      lines={[
        ['File', `${record.file} (${record.format})`],
        ['Channels', channelsText(record)],
        ['Skipped', skippedText(record)],
        ['Unread', unreadText(record)],
      ]}
      rows={[
        ['Sent', formatCount(record.frames_sent)],
        ['Speed', `${record.speed} ×`],
        ['Loops', record.loop ? formatCount(record.loops) : 'off'],
        ['Malformed', formatCount(record.malformed)],
        ['Out of order', formatCount(record.out_of_order)],
        ['Max. lateness', formatMicroseconds(record.max_lateness_us)],
      ]}
      pairs={[['Deviation p50/p99/max', deviationText(record)]]}
    />
  </>
);

/** A finished replay with rejected frames is marked as incomplete. */
const markOf = ({ state, stopped, warning }: Replay) => {
  if (state !== 'finished') return { state };
  const end = stopped ? 'stopped' : state;
  return warning === null
    ? { state: end }
    : { state: 'incomplete', label: `${end}, frames missing` };
};

const ReplayPanel = () => (
  <WorkPanel
    name="replay"
    title="Replay"
    source={replay}
    stop="replay.stop"
    mark={markOf}
    wasStarted={({ file }) => file !== null}
    hint="Choose a trace file and map its channels."
    form={<ReplayForm />}
  >
    {(record) => (
      <>
        {record.warning && (
          <Notice tone="warn" testId="replay-warning">
            <p>{record.warning}.</p>
          </Notice>
        )}
        <Report record={record} />
      </>
    )}
  </WorkPanel>
);

const places = [
  ['database-file', 'Load database'],
  ['logging-file', 'Log to file'],
  ['replay-file', 'Replay trace'],
  ['remote-peers', 'Forward to another bench'],
  ['firmware-device', 'Check device firmware'],
] as const;

const find = (testId: string): HTMLElement | null =>
  document.querySelector(`[data-testid="${testId}"]`);

const commands = (): readonly Command[] => [
  ...places.map(([testId, title]) => ({
    id: `files-${testId}`,
    group: 'Files',
    title,
    run: () => {
      goTo('files');
      // The page must be visible before its field can get the focus.
      requestAnimationFrame(() => find(testId)?.focus());
    },
  })),
  ...['logging', 'replay', 'remote'].map((work) => ({
    id: `files-stop-${work}`,
    group: 'Files',
    title: `Stop ${work === 'remote' ? 'forwarding' : work}`,
    run: () => find(`${work}-stop`)?.click(),
  })),
];

export const FilesPage = () => {
  useResource(channels, 'files');
  useResource(bench);
  useResource(openApi);
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="files-page">
      <div class="stack">
        <DatabasesPanel />
        <JobsPanel />
      </div>
      <div class="stack work">
        <div class="stack">
          <LoggingPanel />
          <ReplayPanel />
        </div>
        <div class="stack">
          <RemotePanel />
        </div>
      </div>
    </div>
  );
};
