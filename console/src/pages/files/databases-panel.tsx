import { useSignal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call, type Database, type DatabaseDiagnostic } from '../../api/client.ts';
import { counted, formatBytes, formatCount, formatInstant } from '../../format/figures.ts';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { catalogs, databases, plans } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';

const form = schemaForm('database.load', { file: '', name: '' }, [
  { key: 'file', label: 'File', class: 'pair', testId: 'database-file' },
  { key: 'name', label: 'Name', placeholder: 'as the file', testId: 'database-name' },
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
      // A large file takes its time.
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
  {
    id: 'severity',
    title: 'Severity',
    width: 98,
    text: ({ severity }) => severity,
    render: ({ severity }) => <StateMark state={marks[severity]} label={severity} />,
  },
  {
    id: 'place',
    title: 'Line',
    width: 56,
    align: 'end',
    text: ({ line, column }) => `${line}:${column}`,
  },
  {
    id: 'message',
    title: 'What is wrong',
    width: 320,
    least: 240,
    grows: true,
    text: ({ message }) => message,
  },
  { id: 'action', title: 'What was done', width: 216, least: 152, text: ({ action }) => action },
  { id: 'code', title: 'Code', width: 176, mono: true, spare: 1, text: ({ code }) => code },
];

const Diagnostics = ({ database }: { readonly database: Database }) => {
  const { data } = useResource(catalogs);
  const found = data.value?.get(database.name)?.diagnostics ?? [];
  const total = database.errors + database.warnings;
  return (
    <div class="diagnostics" data-testid="diagnostics">
      <h3>
        {database.name}: {database.encoding}, {database.nodes} nodes
        {database.version ? `, version ${database.version}` : ''}
        {found.length < total ? `, the first ${found.length} of ${total} flaws` : ''}
      </h3>
      {total === 0 ? (
        <p class="quiet">Nothing is wrong with {database.file}.</p>
      ) : (
        <DataTable
          id="diagnostics"
          label={`Flaws of ${database.name}`}
          columns={columns}
          rows={found}
          keyOf={(_, index) => index}
          empty="They are being read."
        />
      )}
    </div>
  );
};

const flawsText = ({ errors, warnings }: Database): string =>
  [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ].join(', ') || 'none';

const columnsWith = (unload: (database: Database) => void): readonly Column<Database>[] => [
  { id: 'name', title: 'Name', width: 96, least: 72, grows: true, text: ({ name }) => name },
  { id: 'file', title: 'File', width: 136, least: 88, grows: true, text: ({ file }) => file },
  {
    id: 'messages',
    title: 'Messages',
    width: 80,
    align: 'end',
    text: ({ messages }) => formatCount(messages),
  },
  {
    id: 'signals',
    title: 'Signals',
    width: 66,
    align: 'end',
    text: ({ signals }) => formatCount(signals),
  },
  {
    id: 'flaws',
    title: 'Flaws',
    width: 136,
    least: 92,
    text: flawsText,
    render: (database) => (
      <span data-tone={database.errors > 0 ? 'bad' : database.warnings > 0 ? 'warn' : 'idle'}>
        {flawsText(database)}
      </span>
    ),
  },
  {
    id: 'size',
    title: 'Size',
    width: 72,
    spare: 1,
    align: 'end',
    text: (each) => formatBytes(each.size_bytes),
  },
  {
    id: 'loaded',
    title: 'Loaded',
    width: 104,
    spare: 2,
    text: (each) => formatInstant(each.loaded_at_us),
  },
  {
    id: 'unload',
    title: '',
    width: 82,
    align: 'end',
    text: () => '',
    render: (database) => (
      <button
        type="button"
        class="inline"
        aria-label={`Unload ${database.name}`}
        onClick={(event) => {
          event.stopPropagation();
          unload(database);
        }}
      >
        Unload
      </button>
    ),
  },
];

/** The databases that are loaded, and what is wrong with the files they came from. */
export const DatabasesPanel = () => {
  const { data, error } = useResource(databases, 'files');
  const chosen = useSignal<string | null>(null);
  const failure = useSignal<ApiError | null>(null);
  const unload = async ({ name }: Database): Promise<void> => {
    try {
      await call('database.unload', { name });
      failure.value = null;
    } catch (thrown) {
      failure.value = thrown as ApiError;
    }
    await Promise.all([databases.refresh(), catalogs.refresh(), plans.refresh()]);
  };
  const list = data.value?.databases ?? [];
  const shown = list.find(({ name }) => name === chosen.value);
  return (
    <Panel
      title="Databases"
      testId="databases"
      freshness={freshness(databases)}
      class="databases"
      header={<span class="aside">{list.length}</span>}
    >
      <DatabaseForm
        onLoaded={(name) => {
          chosen.value = name;
        }}
      />
      <ErrorNotice error={failure.value ?? error.value} testId="databases-error" />
      <DataTable
        id="databases"
        label="Databases"
        columns={columnsWith((database) => void unload(database))}
        rows={list}
        keyOf={({ name }) => name}
        selected={({ name }) => name === chosen.value}
        onSelect={({ name }) => {
          chosen.value = name === chosen.value ? null : name;
        }}
        rowAttributes={({ name }) => ({ 'data-database': name })}
        empty="Signals need a database: name a DBC file above, inside the project folder of the daemon."
        testId="databases-table"
      />
      {shown && <Diagnostics database={shown} />}
    </Panel>
  );
};
