import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Operation } from '../../api/client.ts';
import { operations } from '../../state/bench.ts';
import { ListPanel } from '../../ui/list-panel.tsx';
import { setter } from '../../ui/set-signal.ts';
import { type Column, column } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { commandText, httpText, matchesOperation } from './api-operations.ts';
import { OperationDetail } from './operation-detail.tsx';

interface SearchHeaderProps {
  readonly name: string;
  readonly found: number;
  readonly all: number;
  readonly label: string;
  readonly search: Signal<string>;
  readonly children?: ComponentChildren;
}

export const SearchHeader = ({ name, found, all, label, search, children }: SearchHeaderProps) => (
  <>
    <span class="quiet" data-testid={`${name}-count`}>
      {found} of {all}
    </span>
    {children}
    <span class="grow" />
    <input
      class="search"
      type="search"
      autocomplete="off"
      spellcheck={false}
      aria-label={label}
      placeholder={label}
      value={search.value}
      data-testid={`${name}-search`}
      onInput={(event) => setter(search)(event.currentTarget.value)}
      onKeyDown={({ key }) => key === 'Escape' && setter(search)('')}
    />
  </>
);

const columns: readonly Column<Operation>[] = [
  column('command', 'Command', 180, commandText, {
    ...{ least: 140, mono: true },
    render: (operation) => <span title={operation.cli?.usage}>{commandText(operation)}</span>,
  }),
  column('summary', 'Summary', 260, ({ summary }) => summary, { least: 160, grows: true }),
  column('permission', 'Permission', 96, ({ permission }) => permission, { spare: 1 }),
  column('http', 'HTTP', 300, httpText, {
    ...{ least: 200, grows: true },
    render: (operation) => (
      <span class={operation.http.available ? 'mono' : 'quiet'} title={httpText(operation)}>
        {httpText(operation)}
      </span>
    ),
  }),
];

export const OperationsView = () => {
  const { data } = useResource(operations);
  const search = useSignal('');
  const chosen = useSignal<string | null>(null);
  const all = data.value?.operations ?? [];
  const found = all.filter((operation) => matchesOperation(operation, search.value));
  const picked = found.find(({ id }) => id === chosen.value) ?? found[0] ?? null;
  return (
    <div class="list-and-detail">
      <ListPanel<Operation>
        name="operations"
        title="Operations"
        source={operations}
        header={
          <SearchHeader
            name="operations"
            found={found.length}
            all={all.length}
            label="Search operations"
            search={search}
          />
        }
        columns={columns}
        rows={found}
        keyOf={({ id }) => id}
        selected={({ id }) => id === picked?.id}
        onSelect={({ id }) => setter(chosen)(id)}
        rowAttributes={({ id }) => ({ 'data-operation': id })}
        empty={all.length === 0 ? null : <p>No operation matches “{search.value}”.</p>}
      />
      {picked && <OperationDetail operation={picked} />}
    </div>
  );
};
