import { useSignal } from '@preact/signals';
import { openApi } from '../../state/bench.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness } from '../../ui/use-resource.ts';
import { type ApiOperation, matchesSearch } from './api-operations.ts';
import { SearchBox } from './search-box.tsx';

const columns: readonly Column<ApiOperation>[] = [
  { id: 'method', title: 'Method', width: 76, mono: true, text: ({ method }) => method },
  {
    id: 'path',
    title: 'Path',
    width: 270,
    least: 200,
    grows: true,
    mono: true,
    text: ({ path }) => path,
    render: ({ path, summary, stream }) => (
      <span title={summary}>
        {path.replace(/^\/api\/v1/, '')} {stream && <StateMark state="off" label={stream} />}
      </span>
    ),
  },
];

interface OperationPickerProps {
  readonly operations: readonly ApiOperation[];
  readonly picked: ApiOperation | null;
  readonly onPick: (id: string) => void;
}

/** Every operation that the running service publishes, to search and pick from. */
export const OperationPicker = ({ operations, picked, onPick }: OperationPickerProps) => {
  const search = useSignal('');
  const found = operations.filter((operation) => matchesSearch(operation, search.value));
  return (
    <Panel
      title="Typed API"
      class="picker"
      testId="operation-picker"
      freshness={freshness(openApi)}
      header={
        <>
          <span class="quiet" data-testid="picker-count">
            {found.length} of {operations.length}
          </span>
          <SearchBox
            label="Search operations"
            value={search.value}
            testId="picker-search"
            onInput={(text) => {
              search.value = text;
            }}
          />
        </>
      }
    >
      <ErrorNotice error={openApi.error.value} testId="picker-error" />
      <DataTable<ApiOperation>
        id="api-operations"
        label="Operations of the API"
        testId="picker-table"
        columns={columns}
        count={found.length}
        rowAt={(index) => found[index] as ApiOperation}
        keyOf={({ id }) => id}
        selected={(operation) => operation.id === picked?.id}
        onSelect={({ id }) => onPick(id)}
        rowAttributes={({ id }) => ({ 'data-operation': id })}
        empty={operations.length === 0 ? null : <p>No operation matches “{search.value}”.</p>}
      />
    </Panel>
  );
};
