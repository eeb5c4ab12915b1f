import { valueTypes } from '../../../../src/modbus/pdu/value-types.ts';
import { wordOrders } from '../../../../src/modbus/pdu/word-order.ts';
import { formatNumber } from '../../format/figures.ts';
import { SchemaFields } from '../../forms/schema-fields.tsx';
import type { FieldLayout } from '../../forms/schema-form.ts';
import { liveness } from '../../live/use-live.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import {
  changeView,
  endedServer,
  nameOf,
  pickedServer,
  registers,
  registersError,
  report,
  view,
} from './modbus-state.ts';
import {
  holdsBits,
  type RegisterView,
  rowsOf,
  tableChoices,
  tableNames,
  type ValueRow,
  viewOf,
  viewProblems,
} from './register-view.ts';
import { prepareRequest } from './request-state.ts';

const columns: readonly Column<ValueRow>[] = [
  numbers('address', 'Address', 72, ({ address }) => String(address), { mono: true }),
  column('reference', 'Reference', 84, ({ reference }) => reference, { mono: true, spare: 0 }),
  column('registers', 'Raw', 150, ({ registers }) => registers, { grows: true, mono: true }),
  numbers('value', 'Value', 150, ({ value }) => value ?? '', {
    grows: true,
    mono: true,
    render: ({ value }) =>
      value === null ? (
        <span class="quiet">not mapped</span>
      ) : (
        <strong title={value}>{formatNumber(value)}</strong>
      ),
  }),
];

const isOfWords = ({ table }: RegisterView): boolean => !holdsBits(table);
const unitsOf = (): readonly string[] => (pickedServer.value?.units ?? []).map(String);

const layout: readonly FieldLayout<RegisterView>[] = [
  {
    key: 'table',
    label: 'Table',
    choices: tableChoices,
    isSegmented: true,
    testId: 'registers-table',
  },
  {
    key: 'unit',
    label: 'Unit ID',
    choices: unitsOf,
    isShown: () => unitsOf().length > 1,
    shown: ({ unit }) => unit || (unitsOf()[0] ?? ''),
    testId: 'registers-unit',
  },
  { key: 'address', label: 'Address', testId: 'registers-address' },
  { key: 'count', label: 'Count', testId: 'registers-count' },
  {
    key: 'type',
    label: 'Type',
    choices: valueTypes,
    isShown: isOfWords,
    testId: 'registers-type',
  },
  {
    key: 'order',
    label: 'Word order',
    choices: wordOrders,
    isShown: isOfWords,
    testId: 'registers-order',
  },
  { key: 'isHex', label: 'Hex', isShown: isOfWords, testId: 'registers-hex' },
];

const problemOf = (field: string): string | null =>
  viewProblems(view.value)[field as 'address' | 'count'] ?? null;

const form = {
  id: 'modbus.registers',
  draft: view,
  layout,
  change: changeView,
  problemOf,
} as const;

const offered = 12;

const Ranges = () => {
  const { ranges, range_total } = registers.value?.now ?? { ranges: [], range_total: 0 };
  if (ranges.length === 0) return null;
  return (
    <p class="ranges quiet" data-testid="registers-ranges">
      Mapped:{' '}
      {ranges.slice(0, offered).map((range) => (
        <button
          key={`${range.table} ${range.address}`}
          type="button"
          class="link"
          onClick={() => changeView(viewOf(view.peek(), range))}
        >
          {tableNames[range.table]} {range.address}
          {range.count > 1 && `–${range.address + range.count - 1}`}
        </button>
      ))}
      {range_total > offered && `and ${range_total - offered} more`}
    </p>
  );
};

export const RegistersPanel = () => {
  const server = pickedServer.value;
  const reported = registers.value;
  const rows = server && reported ? rowsOf(reported.now, reported.before) : [];
  return (
    <Panel
      title={server ? `Registers of ${nameOf(server)}` : 'Registers'}
      testId="registers"
      class="registers"
      freshness={liveness(report)}
    >
      {endedServer.value !== null && (
        <Notice tone="warn" testId="registers-ended">
          <p>
            <code>{endedServer.value}</code> has stopped. Its registers are shown again when it
            restarts.
          </p>
        </Notice>
      )}
      {server && (
        <div class="fields view-fields">
          <SchemaFields form={form} />
        </div>
      )}
      {server && <ErrorNotice error={registersError.value} testId="registers-error" />}
      {server && <Ranges />}
      <DataTable<ValueRow>
        key={reported && `${reported.now.table} ${reported.now.address}`}
        id="modbus-registers"
        label="Registers"
        columns={columns}
        rows={rows}
        keyOf={({ address }) => address}
        onSelect={(row) => reported && prepareRequest(reported.now, row)}
        rowAttributes={({ address, hasChanged }) => ({
          'data-address': String(address),
          'data-changed': hasChanged ? '' : undefined,
        })}
        empty={server ? 'Waiting for values…' : 'No server is running.'}
      />
    </Panel>
  );
};
