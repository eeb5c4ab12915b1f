import { fieldSchema } from '../../forms/contract.ts';
import { openApi } from '../../state/bench.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import type { TaskDraft } from './frame-draft.ts';
import { chosenKind, isResponse, kinds, task, taskForm } from './send-state.ts';

const changeTask = (part: Partial<TaskDraft>): void => {
  task.value = { ...task.peek(), ...part };
  for (const field of Object.keys(part)) taskForm.touch(field.replace('_ms', '_us'));
};

const labels: Readonly<Record<string, string>> = {
  cyclic: 'cyclic',
  lin_response: 'LIN response',
  fixed: 'fixed',
  increment_data: 'count data up',
  increment_id: 'count id up',
  random_data: 'random data',
};

const choiceOf = (value: string) => ({ value, label: labels[value] ?? value });

const patterns = () =>
  (fieldSchema(openApi.data.value, 'tx-task.add', 'pattern')?.enum ?? []).map(String);

/** What makes a task of the frame. */
export const TaskFields = () => (
  <div class="fields">
    <SelectField
      label="Kind"
      value={chosenKind.value}
      choices={kinds.value.map(choiceOf)}
      onChange={(kind) => changeTask({ kind })}
      error={taskForm.problemOf('kind')}
      testId="task-kind"
    />
    {!isResponse.value && (
      <>
        <TextField
          label="Period (ms)"
          value={task.value.period_ms}
          onInput={(period_ms) => changeTask({ period_ms })}
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
          choices={patterns().map(choiceOf)}
          onChange={(pattern) => changeTask({ pattern })}
          error={taskForm.problemOf('pattern')}
          testId="task-pattern"
        />
      </>
    )}
  </div>
);
