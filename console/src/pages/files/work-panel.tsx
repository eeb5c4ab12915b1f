import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { call } from '../../api/client.ts';
import { act } from '../../forms/act.ts';
import type { Resource } from '../../state/resource.ts';
import { unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { freshness, useResource } from '../../ui/use-resource.ts';

interface WorkError {
  readonly code?: string;
  readonly reason?: string;
  readonly message: string;
}

interface Work {
  readonly state: string;
  readonly error: WorkError | null;
}

interface WorkPanelProps<Record extends Work> {
  readonly name: string;
  readonly title: string;
  readonly source: Resource<Record>;
  readonly stop: 'logging.stop' | 'replay.stop' | 'remote.stop';
  readonly mark?: (record: Record) => { readonly state: string; readonly label?: string };
  readonly wasStarted: (record: Record) => boolean;
  readonly hint: string;
  readonly form: ComponentChildren;
  readonly children: (record: Record) => ComponentChildren;
}

export const WorkPanel = <Record extends Work>(props: WorkPanelProps<Record>) => {
  const { name, title, source, mark = ({ state }) => ({ state }), form, children } = props;
  const { data, error } = useResource(source, 'files');
  const stop = useMemo(
    () =>
      act(async () => {
        await call(props.stop);
        await source.refresh();
      }),
    [],
  );
  const record = data.value;
  const isRunning = record?.state === 'running';
  const isNew = record && !props.wasStarted(record);
  return (
    <Panel
      title={title}
      testId={name}
      class={name}
      freshness={freshness(source)}
      header={
        <>
          {record && <StateMark {...mark(record)} testId={`${name}-state`} live />}
          {isNew && <span class="quiet">{props.hint}</span>}
          <span class="grow" />
          {isRunning && (
            <button
              type="button"
              {...unusableWhile(stop.isBusy.value)}
              onClick={() => void stop.run()}
              data-testid={`${name}-stop`}
            >
              Stop
            </button>
          )}
        </>
      }
    >
      {!isRunning && form}
      <ErrorNotice error={stop.error.value ?? error.value} testId={`${name}-status-error`} />
      {record?.error && (
        <Notice tone="bad" testId={`${name}-failure`}>
          <p>
            <code>{record.error.code ?? record.error.reason}</code> {record.error.message}
          </p>
        </Notice>
      )}
      {record && !isNew && children(record)}
    </Panel>
  );
};

type Row = readonly [label: string, value: ComponentChildren];

interface FiguresProps {
  readonly rows: readonly Row[];
  readonly lines?: readonly Row[];
  readonly pairs?: readonly Row[];
  readonly testId?: string;
}

const entries = (rows: readonly Row[], kind: string) =>
  rows.map(([label, value]) => (
    <div key={label} class={kind}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  ));

export const Figures = ({ rows, lines = [], pairs = [], testId }: FiguresProps) => (
  <dl class="figures" data-testid={testId}>
    {entries(lines, 'line')}
    {entries(rows, 'figure')}
    {entries(pairs, 'figure pair')}
  </dl>
);
