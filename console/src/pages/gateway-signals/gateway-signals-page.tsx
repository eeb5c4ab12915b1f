import './gateway-signals.css';
import type { GatewayTask } from '../../api/client.ts';
import {
  counted,
  formatCount,
  formatInstant,
  formatMicroseconds,
  sentence,
} from '../../format/figures.ts';
import type { FollowedInstance } from '../../gateway/followed-instance.ts';
import { InstanceAbsence, InstanceBar, useInstance } from '../../gateway/instance-bar.tsx';
import { useInterval } from '../../state/use-interval.ts';
import { ListPanel } from '../../ui/list-panel.tsx';
import { type PlainColumn, PlainTable } from '../../ui/plain-table.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { beat, pickedTask, SignalsPanel } from './signals-panel.tsx';
import { type TimingBar, timingBars } from './timing-bars.ts';

const counters = [
  ...(['accepted', 'sent', 'failed', 'pending', 'unconfirmed', 'coalesced', 'late'] as const),
  ...(['missed', 'queued_requests', 'cancelled_requests'] as const),
  ...(['processor_rejected_requests', 'generated', 'injected', 'unprotected'] as const),
  ...(['dropped', 'repeated', 'suppressed', 'fault_conflicts'] as const),
] as const;

const always: readonly string[] = ['accepted', 'sent', 'failed', 'late', 'missed'];

const widths = [
  ['p99', 'far'],
  ['p95', 'near'],
  ['p50', 'half'],
] as const;

const timingColumns: readonly PlainColumn<TimingBar>[] = [
  [
    'Timing',
    ({ title, meaning, timing }) => (
      <span title={`${meaning}; ${counted(timing.count, 'measurement')}`}>{title}</span>
    ),
  ],
  [
    '',
    (bar) => (
      <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
        {widths.map(([name, look]) => (
          <rect key={name} class={look} x="0" y="2" height="6" width={bar[name]} />
        ))}
      </svg>
    ),
  ],
  ...(['p50', 'p95', 'p99', 'max'] as const).map<PlainColumn<TimingBar>>((name) => [
    name === 'max' ? 'Max' : name,
    ({ timing }) => (timing.count === 0 ? '–' : formatMicroseconds(timing[name])),
    'number',
  ]),
];

const TaskDetail = ({ task }: { readonly task: GatewayTask }) => (
  <div class="task-detail" data-testid="task-detail">
    <h3>
      {task.id} <span class="quiet">{task.mode === 'request' ? 'sent on request' : ''}</span>
    </h3>
    {task.error && (
      <p data-tone="bad" data-testid="task-error">
        <span aria-hidden="true">▲</span> {task.error.message} (<code>{task.error.code}</code>),{' '}
        {formatInstant(task.error.timestamp_us)}. The next successful transmission clears the error.
      </p>
    )}
    <PlainTable
      class="timings"
      columns={timingColumns}
      rows={timingBars(task)}
      keyOf={({ name }) => name}
      rowAttributes={({ name }) => ({ 'data-timing': name })}
      testId="task-timings"
    />
    <dl class="task-counters">
      {counters
        .filter((name) => always.includes(name) || task[name] > 0)
        .map((name) => (
          <div key={name}>
            <dt>{sentence(name)}</dt>
            <dd class="number">{formatCount(task[name])}</dd>
          </div>
        ))}
      <div>
        <dt>Last lateness</dt>
        <dd class="number">{formatMicroseconds(task.last_lateness_us)}</dd>
      </div>
      <div>
        <dt>Max lateness</dt>
        <dd class="number">{formatMicroseconds(task.max_lateness_us)}</dd>
      </div>
    </dl>
  </div>
);

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

const columns: readonly Column<GatewayTask>[] = [
  column('id', 'Task', 124, ({ id }) => id, { least: 96, grows: true }),
  column('kind', 'Bus', 64, ({ kind }) => (kind === 'can' ? 'CAN' : 'Modbus'), { spare: 3 }),
  column('pace', 'Send type', 116, paceText, { spare: 2 }),
  column('state', 'State', 116, stateText, { render: stateMark }),
  numbers('sent', 'Sent', 68, ({ sent }) => sent),
  numbers('failed', 'Failed', 68, ({ failed }) => failed),
  numbers('late', 'Late', 68, ({ late }) => late, { spare: 4 }),
  numbers('missed', 'Missed', 68, ({ missed }) => missed, { spare: 5 }),
  numbers(
    'lateness',
    'Lateness',
    76,
    ({ last_lateness_us }) => formatMicroseconds(last_lateness_us),
    { spare: 6 },
  ),
];

const TasksPanel = ({ instance }: { readonly instance: FollowedInstance }) => {
  const tasks = [...instance.tasks.value.values()];
  const total = instance.status.value?.task_total ?? tasks.length;
  const picked = tasks.find(({ id }) => id === pickedTask.value) ?? tasks[0];
  return (
    <ListPanel
      name="gateway-tasks"
      title="Tasks"
      class="gateway-task-list"
      header={
        <span class="aside">
          {formatCount(total)}
          {total > tasks.length && tasks.length > 0 && `, first ${formatCount(tasks.length)} shown`}
        </span>
      }
      columns={columns}
      rows={tasks}
      keyOf={({ id }) => id}
      selected={({ id }) => id === picked?.id}
      onSelect={({ id }) => {
        pickedTask.value = id;
      }}
      rowAttributes={({ id, error }) => ({
        'data-task': id,
        'data-error': error?.code,
      })}
      empty="This instance has no tasks."
      footer={picked && <TaskDetail task={picked} />}
    />
  );
};

export const GatewaySignalsPage = () => {
  const instance = useInstance('gateway-signals');
  useInterval('gateway-signals', beat, 500);
  const isStale = instance?.state === 'stale' || instance?.state === 'gone';
  return (
    <div class="gateway-page" data-stale={isStale ? '' : undefined}>
      <InstanceBar instance={instance}>
        <a href="#signals">Plot</a>
      </InstanceBar>
      <InstanceAbsence instance={instance} />
      {instance?.status.value && (
        <div class="gateway-columns">
          <SignalsPanel key={instance.name} instance={instance} />
          <TasksPanel instance={instance} />
        </div>
      )}
    </div>
  );
};
