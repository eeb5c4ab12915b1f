import { effect, useSignal } from '@preact/signals';
import type { Answer } from '../../api/client.ts';
import { counted } from '../../format/figures.ts';
import { sources } from '../../forms/bench-sources.ts';
import { channelOf, sourceProblems } from '../../forms/channel-selectors.ts';
import { ChannelField } from '../../forms/controls.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { catalogs } from '../../state/bench.ts';
import { Notice } from '../../ui/notice.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { databasesFor, txTasks } from './send-state.ts';

const nodesOf = (database: string): readonly string[] => {
  const messages = catalogs.data.value?.get(database)?.message_page ?? [];
  return [...new Set(messages.flatMap(({ senders }) => senders))].sort();
};

const databasesOf = (channel: string): readonly string[] =>
  databasesFor(channelOf(channel, sources.value));

const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const form = schemaForm('tx-task.import', { channel: '', database: '', node: '' }, [
  {
    key: 'channel',
    label: 'Channel',
    testId: 'import-channel',
    change: (channel) => ({ channel, database: '', node: '' }),
    render: (control) => <ChannelField {...control} sources={sources.value} />,
  },
  {
    key: 'database',
    label: 'Database',
    none: 'Choose…',
    choices: ({ channel }) => choicesOf(databasesOf(channel)),
    change: (database) => ({ database, node: '' }),
    testId: 'import-database',
  },
  {
    key: 'node',
    label: 'Node',
    none: 'All nodes',
    choices: ({ database }) => choicesOf(nodesOf(database)),
    testId: 'import-node',
  },
]);

// Databases can be read after the channel was chosen.
effect(() => {
  const { channel, database } = form.draft.value;
  const [first] = channel === '' || database !== '' ? [] : databasesOf(channel);
  if (first !== undefined) form.change({ database: first });
});

const reasons: Readonly<Record<string, string>> = {
  no_cycle_time: 'not sent cyclically',
  cycle_time_out_of_range: 'cycle time out of range',
  too_long: 'too long for one frame',
};

const Imported = ({ tasks, skipped }: Answer<'tx-task.import'>) => (
  <Notice tone="good" testId="import-result">
    <p>
      {counted(tasks.length, 'task')} added
      {skipped.length > 0 && `, ${counted(skipped.length, 'message')} skipped`}
    </p>
    {skipped.length > 0 && (
      <details>
        <summary>Skipped messages</summary>
        <PlainTable
          testId="import-skipped"
          hasRowHeads
          rows={skipped}
          keyOf={({ message }) => message}
          columns={[
            ['Message', ({ message }) => message],
            ['Reason', ({ reason }) => reasons[reason] ?? reason],
          ]}
        />
      </details>
    )}
  </Notice>
);

/** Adds the periodic messages of a node, or of a whole database. */
export const RestBusForm = () => {
  const answer = useSignal<Answer<'tx-task.import'> | null>(null);
  return (
    <FormView
      form={form}
      name="rest-bus"
      submitId="import-submit"
      submitText="Add tasks"
      isOneLine
      onSubmit={async () => {
        answer.value = null;
        const { channel } = form.draft.peek();
        const problems = sourceProblems('channel', channel, sources.value);
        answer.value = await form.submit({ problems });
        await txTasks.refresh();
      }}
    >
      {answer.value && <Imported {...answer.value} />}
    </FormView>
  );
};
