import { useSignal } from '@preact/signals';
import { call, type Database, type DatabaseDiagnostic } from '../../api/client.ts';
import { counted, formatBytes, formatInstant } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { catalogs, databases, plans } from '../../state/bench.ts';
import { actionColumn } from '../../ui/action-column.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';

const form = schemaForm('database.load', { file: '', name: '' }, [
  { key: 'file', label: 'File', class: 'pair', testId: 'database-file' },
  { key: 'name', label: 'Name', placeholder: 'Default: file name', testId: 'database-name' },
]);

const DatabaseForm = ({ onLoaded }: { readonly onLoaded: (name: string) => void }) => (
  <FormView
    form={form}
    name="database"
    submitId="database-load"
    submitText={form.isBusy.value ? 'Loading…' : 'Load'}
    errorId="database-load-error"
    isOneLine
    onSubmit={async () => {
      const loaded = await form.submit({ options: { limitMs: 60_000 } });
      if (!loaded) return;
      form.change({ file: '', name: '' });
      onLoaded(loaded.name);
      await Promise.all([databases.refresh(), catalogs.refresh()]);
    }}
  />
);

const marks = { info: 'idle', warning: 'degraded', error: 'failed' } as const;

const columns: readonly Column<DatabaseDiagnostic>[] = [
  column('severity', 'Severity', 98, ({ severity }) => severity, {
    render: ({ severity }) => <StateMark state={marks[severity]} label={severity} />,
  }),
  column('place', 'Line', 56, ({ line, column: at }) => `${line}:${at}`, { align: 'end' }),
  column('message', 'Message', 320, ({ message }) => message, { least: 240, grows: true }),
  column('action', 'Action', 216, ({ action }) => action, { least: 152 }),
  column('code', 'Code', 176, ({ code }) => code, { mono: true, spare: 1 }),
];

const Diagnostics = ({ database }: { readonly database: Database }) => {
  const { data } = useResource(catalogs);
  const found = data.value?.get(database.name)?.diagnostics ?? [];
  const total = database.errors + database.warnings;
  return (
    <div class="diagnostics" data-testid="diagnostics">
      <h3>
        {database.name}: {database.encoding}, {counted(database.nodes, 'node')}
        {database.version ? `, version ${database.version}` : ''}
        {found.length < total ? `, first ${found.length} of ${total} issues` : ''}
      </h3>
      {total === 0 ? (
        <p class="quiet">No issues in {database.file}.</p>
      ) : (
        <DataTable
          id="diagnostics"
          label={`Issues of ${database.name}`}
          columns={columns}
          rows={found}
          keyOf={(_, index) => index}
          empty="Loading…"
        />
      )}
    </div>
  );
};

const issuesText = ({ errors, warnings }: Database): string =>
  [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ].join(', ') || 'none';

const unload = act(async ({ name }: Database) => {
  try {
    await call('database.unload', { name });
  } finally {
    await Promise.all([databases.refresh(), catalogs.refresh(), plans.refresh()]);
  }
});

const databaseColumns: readonly Column<Database>[] = [
  column('name', 'Name', 96, ({ name }) => name, { least: 72, grows: true }),
  column('file', 'File', 136, ({ file }) => file, { least: 88, grows: true }),
  numbers('messages', 'Messages', 80, ({ messages }) => messages),
  numbers('signals', 'Signals', 66, ({ signals }) => signals),
  column('issues', 'Issues', 136, issuesText, {
    least: 92,
    render: (database) => (
      <span data-tone={database.errors > 0 ? 'bad' : database.warnings > 0 ? 'warn' : 'idle'}>
        {issuesText(database)}
      </span>
    ),
  }),
  column('size', 'Size', 72, (each) => formatBytes(each.size_bytes), { spare: 1, align: 'end' }),
  column('loaded', 'Loaded', 104, (each) => formatInstant(each.loaded_at_us), { spare: 2 }),
  actionColumn('unload', 82, { title: 'Unload', nameOf: ({ name }) => name, run: unload.run }),
];

export const DatabasesPanel = () => {
  const { data } = useResource(databases, 'files');
  const chosen = useSignal<string | null>(null);
  const choose = setter(chosen);
  const list = data.value?.databases ?? [];
  const shown = list.find(({ name }) => name === chosen.value);
  return (
    <ListPanel<Database>
      name="databases"
      title="Databases"
      class="databases"
      source={databases}
      error={unload.error.value}
      columns={databaseColumns}
      rows={list}
      keyOf={({ name }) => name}
      selected={({ name }) => name === chosen.value}
      onSelect={({ name }) => choose(name === chosen.value ? null : name)}
      rowAttributes={({ name }) => ({ 'data-database': name })}
      empty="No databases loaded. Enter a DBC file in the project folder above to decode signals."
      footer={shown && <Diagnostics database={shown} />}
    >
      <DatabaseForm onLoaded={choose} />
    </ListPanel>
  );
};
