import { computed } from '@preact/signals';
import { busCode, frameFlag } from '../../../../src/frame/frm2-layout.ts';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import { call, type TxTask } from '../../api/client.ts';
import { formatCount, formatDecimal } from '../../format/figures.ts';
import { catalogs } from '../../state/bench.ts';
import { MessageNames, messagesOf } from '../../trace-core/message-names.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { channelName, outcomeColumns, removeColumn, useRemoval } from './listed-columns.tsx';
import { mode, txTasks } from './send-state.ts';

/** Of a task that the kernel runs, some figures are not known. */
const known = (count: number | null): string => (count === null ? '–' : formatCount(count));

/** All times of the table in one unit, so that they can be compared. */
const milliseconds = (us: number): string => `${formatDecimal(us / 1000)} ms`;

const names = computed(
  () => new MessageNames({ messages: messagesOf(catalogs.data.value?.values() ?? []), plans: [] }),
);

/** The message of a task where a loaded database has it. */
const messageName = ({ slot, id, extended, type, created_at_us }: TxTask): string | null => {
  const bus = type === 'data' || type === 'remote' ? busCode.can : busCode.lin;
  return names.value.nameOf(slot, created_at_us, bus, id, extended ? frameFlag.extended : 0);
};

const idDigitsOf = ({ type, kind, extended }: TxTask): number => {
  if (kind === 'lin_response' || type === 'master-write') return 2;
  return extended ? 8 : 3;
};

const messageColumn: Column<TxTask> = {
  id: 'message',
  title: 'Message',
  width: 120,
  least: 76,
  spare: -3,
  grows: true,
  text: (task) => messageName(task) ?? '',
};

const lateness = (share: 'p50' | 'p99' | 'max', spare: number): Column<TxTask> => ({
  id: `late-${share}`,
  title: `Late ${share}`,
  width: 76,
  align: 'end',
  spare,
  text: ({ lateness_us }) => (lateness_us ? milliseconds(lateness_us[share]) : '–'),
});

const columnsWith = (
  tasks: readonly TxTask[],
  remove: (task: TxTask) => void,
): readonly Column<TxTask>[] => [
  {
    id: 'state',
    title: 'State',
    width: 90,
    text: ({ state }) => state,
    render: ({ state }) => <StateMark state={state} />,
  },
  { id: 'channel', title: 'Channel', width: 112, least: 84, grows: true, text: channelName },
  ...(tasks.some((task) => messageName(task) !== null) ? [messageColumn] : []),
  {
    id: 'id',
    title: 'Id',
    width: 76,
    mono: true,
    text: (task) => hexDigits(task.id, idDigitsOf(task)),
  },
  {
    id: 'data',
    title: 'Data',
    width: 136,
    least: 76,
    spare: -2,
    grows: true,
    mono: true,
    text: ({ data }) => data,
  },
  {
    id: 'period',
    title: 'Period',
    width: 74,
    align: 'end',
    text: ({ period_us }) => (period_us === null ? '–' : milliseconds(period_us)),
  },
  { id: 'sent', title: 'Sent', width: 72, align: 'end', text: ({ sent }) => known(sent) },
  { id: 'failed', title: 'Failed', width: 58, align: 'end', text: ({ failed }) => known(failed) },
  {
    id: 'missed',
    title: 'Missed',
    width: 64,
    spare: -1,
    align: 'end',
    text: ({ missed }) => known(missed),
  },
  lateness('p50', 2),
  lateness('p99', 0),
  lateness('max', 1),
  { id: 'kind', title: 'Kind', width: 100, spare: 4, text: ({ kind }) => kind.replace('_', ' ') },
  {
    id: 'pattern',
    title: 'Pattern',
    width: 120,
    spare: 5,
    text: ({ pattern }) => pattern.replace('_', ' '),
  },
  ...outcomeColumns(tasks),
  removeColumn(({ task_id }) => task_id, remove),
];

/** The tasks that send by themselves, and how well they keep their times. */
export const TasksPanel = () => {
  const { data, error } = useResource(txTasks, 'send');
  useResource(catalogs);
  const { failure, remove } = useRemoval(
    ({ task_id }: TxTask) => call('tx-task.remove', { task_id }),
    txTasks.refresh,
  );
  const tasks = data.value?.tx_tasks ?? [];
  return (
    <Panel
      title="TX tasks"
      testId="tx-tasks"
      freshness={freshness(txTasks)}
      header={
        <>
          <span class="aside">{tasks.length}</span>
          <span class="grow" />
          <button
            type="button"
            onClick={() => {
              mode.value = 'task';
              // Behind the change: the field is not there before.
              requestAnimationFrame(() =>
                document.querySelector<HTMLElement>('[data-testid="task-kind"]')?.focus(),
              );
            }}
          >
            New task
          </button>
        </>
      }
    >
      <ErrorNotice error={failure.value ?? error.value} testId="tx-tasks-error" />
      <DataTable
        id="tx-tasks"
        label="TX tasks"
        columns={columnsWith(tasks, (task) => void remove(task))}
        rows={tasks}
        keyOf={({ task_id }) => task_id}
        rowAttributes={({ task_id }) => ({ 'data-task': task_id })}
        empty="Nothing is sent by itself. Choose “As a task” under the frame, and a period."
        testId="tx-tasks-table"
      />
    </Panel>
  );
};
