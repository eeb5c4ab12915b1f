import { effect, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Channel, call, type LinSchedule } from '../../api/client.ts';
import { act } from '../../forms/act.ts';
import { sources } from '../../forms/bench-sources.ts';
import { channelOf, sourceProblems } from '../../forms/channel-selectors.ts';
import { ChannelField } from '../../forms/controls.tsx';
import { latestValues } from '../../forms/latest-values.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { SignalControls } from '../../forms/signal-controls.tsx';
import { catalogs } from '../../state/bench.ts';
import { isServed } from '../../state/connection.ts';
import { resource } from '../../state/resource.ts';
import { useInterval } from '../../state/use-interval.ts';
import { actionColumn } from '../../ui/action-column.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { databasesFor } from './send-state.ts';
import { channelName, lateness, removal } from './tasks-panel.tsx';

const schedules = resource(() => call('lin.schedule-list'));

const isMaster = ({ lin, databases }: Channel): boolean =>
  lin?.role === 'master' && databases.length > 0;

export const hasLinMaster = (): boolean => sources.value.channels.some(isMaster);

const tablesIn = (database: string): readonly string[] =>
  (catalogs.data.value?.get(database)?.lin?.schedule_tables ?? []).map(({ name }) => name);

const tablesOf = (channel: string): readonly string[] =>
  databasesFor(channelOf(channel, sources.value)).flatMap(tablesIn);

const choicesOf = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));

const form = schemaForm('lin.schedule-start', { channel: '', table: '' }, [
  {
    key: 'channel',
    label: 'LIN master',
    testId: 'schedule-channel',
    change: (channel) => ({ channel, table: '' }),
    render: (control) => <ChannelField {...control} sources={sources.value} suits={isMaster} />,
  },
  {
    key: 'table',
    label: 'Table',
    none: 'Choose…',
    choices: ({ channel }) => choicesOf(tablesOf(channel)),
    testId: 'schedule-table',
  },
]);

// Databases can be read after the channel was chosen.
effect(() => {
  const { channel, table } = form.draft.value;
  const [first] = channel === '' || table !== '' ? [] : tablesOf(channel);
  if (first !== undefined) form.change({ table: first });
});

const StartForm = () => (
  <FormView
    form={form}
    name="schedule"
    submitId="schedule-start"
    submitText="Start"
    isOneLine
    onSubmit={async () => {
      const problems = sourceProblems('channel', form.draft.peek().channel, sources.value);
      if (await form.submit({ problems })) await schedules.refresh();
    }}
  />
);

const stop = removal(schedules, ({ schedule_id }: LinSchedule) =>
  call('lin.schedule-stop', { schedule_id }),
);

const switchTable = act(async (schedule_id: string, table: string) => {
  await call('lin.schedule-switch', { schedule_id, table });
  await schedules.refresh();
});

const tableText = ({ table, next_table, collision_table }: LinSchedule): string => {
  if (collision_table !== null) return `${table}, collision: ${collision_table}`;
  return next_table === null ? table : `${table} → ${next_table}`;
};

const columns: readonly Column<LinSchedule>[] = [
  column('channel', 'Channel', 112, channelName, { least: 84, grows: true }),
  column('table', 'Table', 120, tableText, { least: 84, grows: true }),
  numbers('cycles', 'Cycles', 68, ({ cycles }) => cycles),
  numbers('sent', 'Sent', 72, ({ sent }) => sent),
  numbers('failed', 'Failed', 60, ({ failed }) => failed, { spare: 1 }),
  numbers('missed', 'Missed', 64, ({ missed }) => missed),
  numbers('unanswered', 'No response', 92, ({ unanswered }) => unanswered),
  numbers('collisions', 'Collisions', 84, ({ collisions }) => collisions, { spare: 0 }),
  lateness('p99', -1),
  lateness('max', 2),
  actionColumn('stop', 64, {
    title: 'Stop',
    nameOf: ({ schedule_id }) => schedule_id,
    run: stop.run,
  }),
];

const ScheduleDetail = ({ schedule }: { readonly schedule: LinSchedule }) => {
  const { schedule_id, database, table, next_table, signals } = schedule;
  const latest = useMemo(
    () =>
      latestValues(async (texts) => {
        try {
          await call('lin.schedule-switch', { schedule_id, signals: texts });
        } finally {
          await schedules.refresh();
        }
      }),
    [schedule_id],
  );
  const messages = catalogs.data.value?.get(database)?.message_page ?? [];
  return (
    <div class="task-signals" data-testid="schedule-detail">
      <div class="fields">
        <SelectField
          label="Table"
          hint="A switch takes effect with the next slot"
          value={next_table ?? table}
          choices={choicesOf(tablesIn(database))}
          onChange={(name) => void switchTable.run(schedule_id, name)}
          testId="schedule-switch"
        />
      </div>
      {signals === null ? (
        <p class="quiet">The response has no room for the signals of so many schedules.</p>
      ) : (
        <SignalControls
          signals={signals}
          definitions={messages.flatMap((message) => message.signals)}
          latest={latest}
        />
      )}
    </div>
  );
};

const pollMs = 1000;

/** Schedule tables that LIN masters run. Shown where a master has an LDF. */
export const LinSchedulesPanel = () => {
  const { data } = useResource(schedules);
  // The stream of states does not report schedules.
  const beat = useSignal(0);
  useInterval('send', beat, pollMs);
  useEffect(() => {
    if (beat.value > 0 && isServed.peek()) void schedules.refresh();
  }, [beat.value]);
  const chosen = useSignal<string | null>(null);
  const rows = data.value?.lin_schedules ?? [];
  const shown = rows.find(({ schedule_id }) => schedule_id === chosen.value);
  return (
    <ListPanel<LinSchedule>
      name="lin-schedules"
      title="LIN schedules"
      source={schedules}
      error={stop.error.value ?? switchTable.error.value}
      columns={columns}
      rows={rows}
      keyOf={({ schedule_id }) => schedule_id}
      selected={({ schedule_id }) => schedule_id === chosen.value}
      onSelect={({ schedule_id }) => {
        chosen.value = schedule_id === chosen.peek() ? null : schedule_id;
      }}
      rowAttributes={({ schedule_id }) => ({ 'data-schedule': schedule_id })}
      empty="No schedule is running. Choose a LIN master and a table above."
      footer={shown && <ScheduleDetail key={shown.schedule_id} schedule={shown} />}
    >
      <StartForm />
    </ListPanel>
  );
};
