import type { Database, DatabaseDiagnostic } from '../../api/schema.ts';
import { catalogs } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';

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
  {
    id: 'action',
    title: 'What was done',
    width: 216,
    least: 152,
    text: ({ action }) => action,
  },
  { id: 'code', title: 'Code', width: 176, mono: true, spare: 1, text: ({ code }) => code },
];

/** What the reader noticed in the file of a database. */
export const Diagnostics = ({ database }: { readonly database: Database }) => {
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
          count={found.length}
          rowAt={(index) => found[index] as DatabaseDiagnostic}
          keyOf={(_, index) => index}
          empty="They are being read."
        />
      )}
    </div>
  );
};
