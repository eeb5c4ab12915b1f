import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import { call, pathOf, type Recorder, type RecorderSummary } from '../../api/client.ts';
import { formatBytes, formatCount, formatInstant } from '../../format/figures.ts';
import { goTo } from '../../state/pages.ts';
import { resource } from '../../state/resource.ts';
import { actionColumn } from '../../ui/action-column.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SaveLink } from '../../ui/save-link.tsx';
import { setting } from '../../ui/set-signal.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { bytesText } from './recorder-draft.ts';
import { AddForm, EditForm } from './recorder-form.tsx';
import { chosen, control, controlled, isActive, recorders, task } from './recorders-state.ts';

type RecordedFile = Recorder['files'][number];

/** Files are large, and lines can be slow. */
const downloadMs = 3_600_000;

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

const eventsText = ({ first_event_id: first, last_event_id: last }: RecordedFile): string =>
  first === null || last === null ? '–' : `${formatCount(first)} – ${formatCount(last)}`;

interface FilesProps {
  readonly recorder: RecorderSummary;
}

const Files = ({ recorder }: FilesProps) => {
  const { name } = recorder;
  const details = useMemo(() => resource(() => call('recorder.show', { name })), [name]);
  const error = useSignal<ApiError | null>(null);
  useResource(details);
  // The stream of states reports recorders without their files.
  useEffect(() => {
    if (details.data.peek()) void details.refresh();
  }, [recorder]);
  const columns = useMemo<readonly Column<RecordedFile>[]>(
    () => [
      column('file', 'File', 240, ({ file }) => file, {
        ...{ least: 140, grows: true },
        render: ({ file }) => (
          <SaveLink
            path={pathOf('recorder.file', { name, file })}
            file={baseName(file)}
            label={`Download ${file}`}
            limitMs={downloadMs}
            onDone={(failure) => {
              error.value = failure;
            }}
          >
            {file}
          </SaveLink>
        ),
      }),
      numbers('size', 'Size', 80, ({ bytes }) => formatBytes(bytes)),
      numbers('frames', 'Events', 80, ({ frames }) => frames),
      numbers('ids', 'Event IDs', 140, eventsText, { spare: 1 }),
      actionColumn('check', 92, {
        title: 'Check',
        label: 'Check…',
        nameOf: ({ file }) => file,
        run: ({ file }) => goTo('checks', { trace: file }),
      }),
    ],
    [name],
  );
  return (
    <>
      <ErrorNotice error={error.value ?? details.error.value} testId="recorder-files-error" />
      <DataTable<RecordedFile>
        id="recorder-files"
        label={`Files of ${name}`}
        columns={columns}
        rows={details.data.value?.files.toReversed() ?? []}
        keyOf={({ file }) => file}
        rowAttributes={({ file }) => ({ 'data-file': file })}
        empty="No files yet. They are listed here from the first event on, the newest first."
      />
    </>
  );
};

const listOf = (parts: readonly (string | false | undefined)[]): string =>
  parts.filter(Boolean).join(', ');

const sizeText = (bytes: number): string => {
  const text = bytesText(bytes);
  return /^\d+$/.test(text) ? `${formatCount(bytes)} bytes` : text;
};

const splitText = ({ split }: RecorderSummary): string =>
  listOf([
    split?.max_bytes !== undefined && `after ${sizeText(split.max_bytes)}`,
    split?.max_seconds !== undefined && `after ${formatCount(split.max_seconds)} s`,
  ]) || 'never';

const keepText = ({ keep }: RecorderSummary): string =>
  listOf([
    keep?.max_files !== undefined && `${formatCount(keep.max_files)} files`,
    keep?.max_bytes !== undefined && sizeText(keep.max_bytes),
  ]) || 'all files';

const triggerText = ({ trigger }: RecorderSummary): string => {
  const { start, stop, pre_ms = 0, post_ms = 0, once = false } = trigger ?? {};
  return listOf([
    start !== undefined && `from ${start}`,
    pre_ms > 0 && `${formatCount(pre_ms)} ms before`,
    stop !== undefined && `to ${stop}`,
    post_ms > 0 && `${formatCount(post_ms)} ms after`,
    once && 'once',
  ]);
};

const channelsText = ({ channels }: RecorderSummary): string => channels?.join(', ') ?? 'all';

const timeOf = (us: number | null): string => (us === null ? '–' : formatInstant(us));

const RecorderFacts = ({ of }: { readonly of: RecorderSummary }) => (
  <div class="recorder-facts">
    <Facts
      testId="recorder-facts"
      of={[
        ['Files', of.file, { whole: true, mono: true }],
        ['Channels', channelsText(of), { whole: true }],
        of.trigger && ['Trigger', triggerText(of), { whole: true }],
        ['New file', splitText(of)],
        ['Kept', keepText(of)],
        ['Events', formatCount(of.frames)],
        ['Size', formatBytes(of.bytes)],
        ['Gaps', formatCount(of.gaps), { alarm: of.gaps > 0 }],
        ['Missed', formatCount(of.missed), { alarm: of.missed > 0 }],
        ['Started', timeOf(of.started_at_us)],
        ['Stopped', timeOf(of.stopped_at_us)],
      ]}
    />
  </div>
);

const Actions = ({ recorder }: FilesProps) => {
  const { name } = recorder;
  const isBusy = control.isBusy.value;
  const run = (verb: 'start' | 'stop' | 'remove') => () => void control.run(name, verb);
  if (isActive(recorder)) {
    return (
      <button
        type="button"
        data-testid="recorder-stop"
        {...unusableWhile(isBusy)}
        onClick={run('stop')}
      >
        Stop
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        class="primary"
        data-testid="recorder-start"
        {...unusableWhile(isBusy)}
        onClick={run('start')}
      >
        Start
      </button>
      <button type="button" data-testid="recorder-edit" onClick={setting(task, 'edit')}>
        Edit…
      </button>
      <button
        type="button"
        data-testid="recorder-remove"
        title="Its files stay"
        {...unusableWhile(isBusy)}
        onClick={run('remove')}
      >
        Remove
      </button>
    </>
  );
};

const Details = ({ recorder }: FilesProps) => (
  <>
    <ErrorNotice
      error={controlled.value === recorder.name ? control.error.value : null}
      testId="recorder-error"
    />
    {recorder.error && (
      <Notice tone={recorder.state === 'waiting' ? 'warn' : 'bad'} testId="recorder-failure">
        <p>
          <code>{recorder.error.code}</code> {recorder.error.message}
        </p>
      </Notice>
    )}
    <RecorderFacts of={recorder} />
    <Files key={recorder.name} recorder={recorder} />
  </>
);

const CancelButton = () => (
  <button type="button" data-testid="recorder-cancel" onClick={setting(task, 'show')}>
    Cancel
  </button>
);

export const RecorderPanel = () => {
  const recorder = chosen.value;
  const isAdding = task.value === 'add';
  const isEditing = task.value === 'edit' && recorder !== null && !isActive(recorder);
  if (isAdding) {
    return (
      <Panel title="New recorder" testId="recorder" actions={<CancelButton />}>
        <AddForm />
      </Panel>
    );
  }
  if (isEditing) {
    return (
      <Panel title={`Edit ${recorder.name}`} testId="recorder" actions={<CancelButton />}>
        <EditForm key={recorder.name} recorder={recorder} />
      </Panel>
    );
  }
  return (
    <Panel
      title={recorder?.name ?? 'Recorder'}
      testId="recorder"
      header={recorder && <StateMark state={recorder.state} testId="recorder-state" live />}
      actions={recorder && <Actions recorder={recorder} />}
    >
      {recorder ? (
        <Details recorder={recorder} />
      ) : (
        <p class="empty">{recorders.data.value && 'Add a recorder, or select one.'}</p>
      )}
    </Panel>
  );
};
