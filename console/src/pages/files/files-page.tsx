import './files.css';
import { useEffect } from 'preact/hooks';
import { call, type Replay } from '../../api/client.ts';
import { formatCount, formatMicroseconds } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { bench, channels, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { DatabasesPanel } from './databases-panel.tsx';
import { Figures, WorkError, WorkHeader } from './figures-list.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { LoggingPanel } from './logging-panel.tsx';
import { reasonsText } from './peer-columns.ts';
import { RemotePanel } from './remote-panel.tsx';
import { ReplayForm } from './replay-form.tsx';
import { replay } from './work-resources.ts';

const stop = act(async () => {
  await call('replay.stop');
  await replay.refresh();
});

const skippedText = ({ frames_skipped, skipped }: Replay): string =>
  frames_skipped === 0 ? 'none' : `${formatCount(frames_skipped)}: ${reasonsText(skipped)}`;

/** What the file holds that is no event, and whether it holds all that it should. */
const unreadText = ({ unread, truncated }: Replay): string => {
  const parts = [reasonsText(unread), truncated ? 'the end of the file is missing' : ''];
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
      <progress value={record.progress} max={1} aria-label="How far the file is replayed" />
      <span>{(100 * record.progress).toFixed(0)} %</span>
      <span class="quiet">{positionText(record)}</span>
    </div>
    <Figures
      testId="replay-figures"
      lines={[
        ['File', `${record.file} (${record.format})`],
        ['Channels', channelsText(record)],
        ['Skipped', skippedText(record)],
        ['Not read', unreadText(record)],
      ]}
      rows={[
        ['Sent', formatCount(record.frames_sent)],
        ['Speed', `${record.speed} ×`],
        ['Loops', record.loop ? formatCount(record.loops) : 'off'],
        ['Malformed', formatCount(record.malformed)],
        ['Out of order', formatCount(record.out_of_order)],
        ['Latest', formatMicroseconds(record.max_lateness_us)],
      ]}
      pairs={[['Deviation p50/p99/max', deviationText(record)]]}
    />
  </>
);

/** The state as it is marked: a replay whose frames were refused did not go well. */
const markOf = ({ state, stopped, warning }: Replay): string => {
  if (state === 'finished' && warning !== null) return 'incomplete';
  return state === 'finished' && stopped ? 'stopped' : state;
};

const labelOf = ({ stopped }: Replay): string =>
  stopped ? 'stopped, frames missing' : 'finished, frames missing';

const ReplayPanel = () => {
  const { data, error } = useResource(replay, 'files');
  const record = data.value;
  return (
    <Panel
      title="Replay"
      testId="replay"
      freshness={freshness(replay)}
      header={
        <WorkHeader
          name="replay"
          state={record && markOf(record)}
          label={record && markOf(record) === 'incomplete' ? labelOf(record) : undefined}
          isRunning={record?.state === 'running'}
          hint={record?.file === null ? 'Name a trace, and say where its channels go.' : null}
          stop={stop}
        />
      }
    >
      {record?.state !== 'running' && <ReplayForm />}
      <ErrorNotice error={stop.error.value ?? error.value} testId="replay-status-error" />
      <WorkError error={record?.error ?? null} testId="replay-failure" />
      {record?.warning && (
        <Notice tone="warn" testId="replay-warning">
          <p>{record.warning}.</p>
        </Notice>
      )}
      {record && record.file !== null && <Report record={record} />}
    </Panel>
  );
};

const places = [
  ['database-file', 'Load a database'],
  ['logging-file', 'Log to a file'],
  ['replay-file', 'Replay a trace'],
  ['remote-peers', 'Forward to another bench'],
  ['firmware-device', 'Check the firmware of a device'],
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
      // Behind the change of the page: what is hidden cannot be focused.
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

/** Files that are read and written, and work that goes on by itself. */
export const FilesPage = () => {
  useResource(channels, 'files');
  useResource(bench);
  useResource(openApi);
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="files-page">
      <div class="files-column">
        <DatabasesPanel />
        <JobsPanel />
      </div>
      <div class="work">
        <div class="files-column">
          <LoggingPanel />
          <ReplayPanel />
        </div>
        <div class="files-column">
          <RemotePanel />
        </div>
      </div>
    </div>
  );
};
