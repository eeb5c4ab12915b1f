import { computed, useSignal } from '@preact/signals';
import { busCode, frameFlag } from '../../../../src/frame/frm2-layout.ts';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import { call, type TxTask } from '../../api/client.ts';
import { formatDecimal } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { catalogs, channels } from '../../state/bench.ts';
import type { Resource } from '../../state/resource.ts';
import { MessageNames, messagesOf } from '../../trace-core/message-names.ts';
import { actionColumn } from '../../ui/action-column.tsx';
import { ToggleButton, unusableWhile } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { RestBusForm } from './rest-bus-form.tsx';
import { mode, txTasks, wordsOf } from './send-state.ts';
import { TaskSignals } from './task-signals.tsx';

interface Listed {
  readonly offloaded: boolean;
  readonly last_error: { readonly code: string } | null;
}

export const channelName = ({ slot, selector }: Pick<TxTask, 'slot' | 'selector'>): string =>
  channels.data.value?.channels.find((channel) => channel.slot === slot)?.name ?? selector;

export const outcomeColumns = <Row extends Listed>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  remove: (row: Row) => unknown,
): readonly Column<Row>[] => [
  column('offloaded', 'Runs on', 72, ({ offloaded }) => (offloaded ? 'device' : 'daemon'), {
    spare: 6,
  }),
  ...(rows.some(({ last_error }) => last_error !== null)
    ? [
        column<Row>('error', 'Last error', 152, ({ last_error }) => last_error?.code ?? '', {
          ...{ least: 112, grows: true },
        }),
      ]
    : []),
  actionColumn('remove', 48, { title: 'Remove', label: '✕', nameOf, run: remove }),
];

export const removal = <Row,>(list: Resource<unknown>, removeRow: (row: Row) => Promise<unknown>) =>
  act(async (row: Row) => {
    try {
      await removeRow(row);
    } finally {
      await list.refresh();
    }
  });

/** All times of the table have one unit, so that they can be compared. */
const milliseconds = (us: number): string => `${formatDecimal(us / 1000)} ms`;

const names = computed(
  () => new MessageNames({ messages: messagesOf(catalogs.data.value?.values() ?? []), plans: [] }),
);

const messageText = ({ message, slot, id, extended, type, created_at_us }: TxTask): string => {
  if (message !== null) return message;
  const bus = type === 'data' || type === 'remote' ? busCode.can : busCode.lin;
  const flags = extended ? frameFlag.extended : 0;
  return names.value.nameOf(slot, created_at_us, bus, id, flags) ?? '';
};

const idDigitsOf = ({ type, kind, extended }: TxTask): number => {
  if (kind === 'lin_response' || type === 'master-write') return 2;
  return extended ? 8 : 3;
};

const messageColumn: Column<TxTask> = column('message', 'Message', 120, messageText, {
  ...{ least: 76, spare: -3, grows: true },
});

interface Timed {
  readonly lateness_us: TxTask['lateness_us'];
}

export const lateness = <Row extends Timed>(
  share: 'p50' | 'p99' | 'max',
  spare: number,
): Column<Row> =>
  column(
    `late-${share}`,
    `Late ${share}`,
    76,
    ({ lateness_us: us }) => (us ? milliseconds(us[share]) : '–'),
    { ...{ align: 'end', spare } },
  );

const pause = act(async ({ task_id, state }: TxTask) => {
  try {
    await call('tx-task.set', { task_id, enabled: state === 'paused' });
  } finally {
    await txTasks.refresh();
  }
});

const pauseColumn: Column<TxTask> = column('pause', '', 72, () => '', {
  align: 'end',
  render: (task) => {
    if (task.state === 'finished') return null;
    const title = task.state === 'paused' ? 'Resume' : 'Pause';
    return (
      <button
        type="button"
        class="inline"
        aria-label={`${title} ${task.task_id}`}
        {...unusableWhile(pause.isBusy.value)}
        onClick={(event) => {
          event.stopPropagation();
          void pause.run(task);
        }}
      >
        {title}
      </button>
    );
  },
});

const columnsOf = (tasks: readonly TxTask[]): readonly Column<TxTask>[] => [
  states('state', 'State', 90, ({ state }) => state),
  column('channel', 'Channel', 112, channelName, { least: 84, grows: true }),
  ...(tasks.some((task) => messageText(task) !== '') ? [messageColumn] : []),
  column('id', 'ID', 76, (task) => hexDigits(task.id, idDigitsOf(task)), { mono: true }),
  column('data', 'Data', 136, ({ data }) => data, {
    ...{ least: 76, spare: -2, grows: true, mono: true },
  }),
  column('period', 'Cycle', 74, ({ period_us: us }) => (us === null ? '–' : milliseconds(us)), {
    align: 'end',
  }),
  numbers('sent', 'Sent', 72, ({ sent }) => sent),
  numbers('failed', 'Failed', 58, ({ failed }) => failed, { spare: -4 }),
  numbers('missed', 'Missed', 64, ({ missed }) => missed, { spare: -1 }),
  lateness('p50', 2),
  lateness('p99', 0),
  lateness('max', 1),
  ...(tasks.some(({ state }) => state !== 'finished') ? [pauseColumn] : []),
  column('kind', 'Kind', 100, ({ kind }) => wordsOf(kind), { spare: 4 }),
  column('pattern', 'Pattern', 120, ({ pattern }) => wordsOf(pattern), { spare: 5 }),
  ...outcomeColumns(tasks, ({ task_id }) => task_id, remove.run),
];

const remove = removal(txTasks, ({ task_id }: TxTask) => call('tx-task.remove', { task_id }));

const newTask = (): void => {
  mode.value = 'task';
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-testid="task-kind"]')?.focus(),
  );
};

export const TasksPanel = () => {
  const { data } = useResource(txTasks, 'send');
  useResource(catalogs);
  const chosen = useSignal<string | null>(null);
  const isImporting = useSignal(false);
  const tasks = data.value?.tx_tasks ?? [];
  const shown = tasks.find(({ task_id }) => task_id === chosen.value);
  return (
    <ListPanel<TxTask>
      name="tx-tasks"
      title="TX tasks"
      source={txTasks}
      error={remove.error.value ?? pause.error.value}
      actions={
        <>
          <ToggleButton
            isOn={isImporting}
            testId="import-tasks"
            title="Add all cyclic messages of a node or a database"
          >
            Rest bus…
          </ToggleButton>
          <button type="button" onClick={newTask}>
            New task
          </button>
        </>
      }
      columns={columnsOf(tasks)}
      rows={tasks}
      keyOf={({ task_id }) => task_id}
      selected={({ task_id }) => task_id === chosen.value}
      onSelect={({ task_id }) => {
        chosen.value = task_id === chosen.peek() ? null : task_id;
        isImporting.value = false;
      }}
      rowAttributes={({ task_id }) => ({ 'data-task': task_id })}
      empty="No cyclic tasks. Choose “As TX task” in the form to add one."
      footer={
        shown &&
        (shown.message === null ? (
          <p class="task-signals quiet">This task has no signals: it was added as a frame.</p>
        ) : (
          <TaskSignals key={shown.task_id} task={shown} />
        ))
      }
    >
      {isImporting.value && <RestBusForm />}
    </ListPanel>
  );
};
