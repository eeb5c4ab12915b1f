import { useSignal } from '@preact/signals';
import type { Operation } from '../../api/client.ts';
import { operations } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { commandText, httpText, matchesOperation } from './api-operations.ts';
import { OperationDetail } from './operation-detail.tsx';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly testId: string;
}

/** A box that narrows a list down; Escape empties it. */
export const SearchBox = ({ label, value, onInput, testId }: SearchBoxProps) => (
  <input
    class="search"
    type="search"
    autocomplete="off"
    spellcheck={false}
    aria-label={label}
    placeholder={label}
    value={value}
    data-testid={testId}
    onInput={(event) => onInput(event.currentTarget.value)}
    onKeyDown={(event) => {
      if (event.key === 'Escape') onInput('');
    }}
  />
);

const columns: readonly Column<Operation>[] = [
  {
    id: 'command',
    title: 'Command',
    width: 180,
    least: 140,
    mono: true,
    text: commandText,
    render: (operation) => <span title={operation.cli?.usage}>{commandText(operation)}</span>,
  },
  {
    id: 'summary',
    title: 'Summary',
    width: 260,
    least: 160,
    grows: true,
    text: ({ summary }) => summary,
  },
  {
    id: 'permission',
    title: 'Permission',
    width: 96,
    spare: 1,
    text: ({ permission }) => permission,
  },
  {
    id: 'http',
    title: 'HTTP',
    width: 300,
    least: 200,
    grows: true,
    text: httpText,
    render: (operation) => (
      <span class={operation.http.available ? 'mono' : 'quiet'} title={httpText(operation)}>
        {httpText(operation)}
      </span>
    ),
  },
];

/** Every operation there is, on the command line and over HTTP, with the contract of one of them. */
export const OperationsView = () => {
  const { data, error } = useResource(operations);
  const search = useSignal('');
  const chosen = useSignal<string | null>(null);
  const all = data.value?.operations ?? [];
  const found = all.filter((operation) => matchesOperation(operation, search.value));
  const picked = found.find(({ id }) => id === chosen.value) ?? found[0] ?? null;
  return (
    <div class="list-and-detail">
      <Panel
        title="Operations"
        testId="operations"
        freshness={freshness(operations)}
        header={
          <>
            <span class="quiet" data-testid="operation-count">
              {found.length} of {all.length}
            </span>
            <span class="grow" />
            <SearchBox
              label="Search operations"
              value={search.value}
              testId="operation-search"
              onInput={(text) => {
                search.value = text;
              }}
            />
          </>
        }
      >
        <ErrorNotice error={error.value} testId="operations-error" />
        <DataTable<Operation>
          id="operations"
          label="Operations"
          testId="operation-table"
          columns={columns}
          rows={found}
          keyOf={({ id }) => id}
          selected={({ id }) => id === picked?.id}
          onSelect={({ id }) => {
            chosen.value = id;
          }}
          rowAttributes={({ id }) => ({ 'data-operation': id })}
          empty={all.length === 0 ? null : <p>No operation matches “{search.value}”.</p>}
        />
      </Panel>
      {picked && <OperationDetail operation={picked} />}
    </div>
  );
};
