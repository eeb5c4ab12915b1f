import { useMemo } from 'preact/hooks';
import { call, type TxTask } from '../../api/client.ts';
import { latestValues } from '../../forms/latest-values.ts';
import { SignalControls } from '../../forms/signal-controls.tsx';
import { catalogs } from '../../state/bench.ts';
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
  const definition = catalogs.data.value
    ?.get(database ?? '')
    ?.message_page.find(({ name }) => name === message);
  return (
    <div class="task-signals" data-testid="task-signals">
      <h3>
        {message} <span class="quiet">in {database}</span>
      </h3>
      {signals === null ? (
        <p class="quiet">The response has no room for the signals of so many tasks.</p>
      ) : (
        <SignalControls signals={signals} definitions={definition?.signals ?? []} latest={latest} />
      )}
    </div>
  );
};
