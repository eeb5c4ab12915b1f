import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Answer, call, type TxTask } from '../../api/client.ts';
import { latestValues } from '../../forms/latest-values.ts';
import { SignalControls } from '../../forms/signal-controls.tsx';
import { txTasks } from './send-state.ts';

/** The signals of a task by name, which are changed while it runs. */
export const TaskSignals = ({ task }: { readonly task: TxTask }) => {
  const { task_id, message, database, signals } = task;
  const latest = useMemo(
    () =>
      latestValues(async (texts) => {
        try {
          await call('tx-task.set', { task_id, signals: texts });
        } finally {
          await txTasks.refresh();
        }
      }),
    [task_id],
  );
  // The loaded database can differ: a task keeps the layout that it began with.
  const layout = useSignal<Answer<'tx-task.message'> | null>(null);
  useEffect(() => {
    let isShown = true;
    const take = (found: Answer<'tx-task.message'>): void => {
      if (isShown) layout.value = found;
    };
    // Without a layout, values are still entered as text.
    void call('tx-task.message', { task_id }).then(take, () => {});
    return () => {
      isShown = false;
    };
  }, [task_id]);
  return (
    <div class="task-signals" data-testid="task-signals">
      <h3>
        {message} <span class="quiet">in {database}</span>
      </h3>
      {signals === null ? (
        <p class="quiet">The response has no room for the signals of so many tasks.</p>
      ) : (
        <SignalControls
          signals={signals}
          definitions={layout.value?.signals ?? []}
          latest={latest}
        />
      )}
    </div>
  );
};
