import { fieldSchema } from '../../forms/contract.ts';
import { openApi } from '../../state/bench.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import type { TaskDraft } from './frame-draft.ts';
import { isResponse, task, taskForm } from './send-state.ts';

const changeTask = (part: Partial<TaskDraft>): void => {
  task.value = { ...task.peek(), ...part };
  for (const field of Object.keys(part)) taskForm.touch(field);
};

const labels: Readonly<Record<string, string>> = {
  cyclic: 'cyclic',
  lin_response: 'LIN response',
  fixed: 'fixed',
  increment_data: 'count data up',
  increment_id: 'count id up',
  random_data: 'random data',
};

const choicesOf = (field: string) =>
  (fieldSchema(openApi.data.value, 'tx-task.add', field)?.enum ?? []).map((value) => ({
    value: String(value),
    label: labels[String(value)] ?? String(value),
  }));

/** What makes a task of the frame. */
export const TaskFields = () => (
  <div class="fields">
    <SelectField
      label="Kind"
      value={task.value.kind}
      choices={choicesOf('kind')}
      onChange={(kind) => changeTask({ kind })}
      error={taskForm.problemOf('kind')}
      testId="task-kind"
    />
    {!isResponse.value && (
      <>
        <TextField
          label="Period (µs)"
          value={task.value.period_us}
          onInput={(period_us) => changeTask({ period_us })}
          error={taskForm.problemOf('period_us')}
          testId="task-period"
        />
        <TextField
          label="Count"
          value={task.value.count}
          onInput={(count) => changeTask({ count })}
          error={taskForm.problemOf('count')}
          hint="0 is endless"
          testId="task-count"
        />
        <SelectField
          label="Pattern"
          value={task.value.pattern}
          choices={choicesOf('pattern')}
          onChange={(pattern) => changeTask({ pattern })}
          error={taskForm.problemOf('pattern')}
          testId="task-pattern"
        />
      </>
    )}
  </div>
);
