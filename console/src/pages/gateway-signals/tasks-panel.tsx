import type { GatewayTask } from '../../api/schema.ts';
import { formatCount, formatMicroseconds } from '../../format/figures.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { pickedTask } from './page-state.ts';
import { TaskDetail } from './task-detail.tsx';

const paceText = ({ policy, period_ms }: GatewayTask): string => {
  if (policy === 'on_change') return 'on change';
  return period_ms === null ? 'on request' : `every ${formatCount(period_ms)} ms`;
};

const stateText = ({ error, state }: GatewayTask): string => error?.code ?? state;

const stateMark = (task: GatewayTask) => (
  <StateMark
    state={task.error ? 'failed' : task.state}
    label={stateText(task).replaceAll('_', ' ')}
  />
);

const figure = (
  id: 'sent' | 'failed' | 'late' | 'missed',
  title: string,
  spare?: number,
): Column<GatewayTask> => ({
  id,
  title,
  width: 68,
  align: 'end',
  ...(spare === undefined ? {} : { spare }),
  text: (task) => formatCount(task[id]),
});

const columns: readonly Column<GatewayTask>[] = [
  { id: 'id', title: 'Task', width: 124, least: 96, grows: true, text: ({ id }) => id },
  {
    id: 'kind',
    title: 'On',
    width: 64,
    spare: 3,
    text: ({ kind }) => (kind === 'can' ? 'CAN' : 'Modbus'),
  },
  { id: 'pace', title: 'Sent', width: 116, spare: 2, text: paceText },
  { id: 'state', title: 'State', width: 116, text: stateText, render: stateMark },
  figure('sent', 'Done'),
  figure('failed', 'Failed'),
  figure('late', 'Late', 4),
  figure('missed', 'Missed', 5),
  {
    id: 'lateness',
    title: 'Lateness',
    width: 76,
    spare: 6,
    align: 'end',
    text: ({ last_lateness_us }) => formatMicroseconds(last_lateness_us),
  },
];

/** What the instance sends, and how it fares with that. */
export const TasksPanel = ({ instance }: { readonly instance: FollowedInstance }) => {
  const tasks = [...instance.tasks.value.values()];
  const total = instance.status.value?.task_total ?? tasks.length;
  const picked = tasks.find(({ id }) => id === pickedTask.value) ?? tasks[0];
  return (
    <Panel
      title="Tasks"
      class="gateway-task-list"
      testId="gateway-tasks"
      header={
        <span class="aside">
          {formatCount(total)}
          {total > tasks.length && tasks.length > 0 && `, the first ${formatCount(tasks.length)}`}
        </span>
      }
    >
      <DataTable
        id="gateway-tasks"
        label="Tasks"
        columns={columns}
        count={tasks.length}
        rowAt={(index) => tasks[index] as GatewayTask}
        keyOf={({ id }) => id}
        selected={({ id }) => id === picked?.id}
        onSelect={({ id }) => {
          pickedTask.value = id;
        }}
        rowAttributes={({ id, error }) => ({
          'data-task': id,
          'data-error': error?.code,
        })}
        empty="This instance sends nothing by itself."
        testId="gateway-tasks-table"
      />
      {picked && <TaskDetail task={picked} />}
    </Panel>
  );
};
