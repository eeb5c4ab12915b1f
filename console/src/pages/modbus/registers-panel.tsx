import { dataTables } from '../../../../src/modbus/pdu/data-tables.ts';
import { valueTypes } from '../../../../src/modbus/pdu/value-types.ts';
import { wordOrders } from '../../../../src/modbus/pdu/word-order.ts';
import { formatNumber } from '../../format/figures.ts';
import { Segments } from '../../forms/controls.tsx';
import { liveness } from '../../live/use-live.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table-columns.ts';
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
import { holdsBits, rowsOf, type ValueRow, viewOf, viewProblems } from './register-view.ts';
import { prepareRequest } from './request-state.ts';

/** Values with their places, and with what they were made of. */
const valueColumns: readonly Column<ValueRow>[] = [
  {
    id: 'address',
    title: 'Address',
    width: 72,
    align: 'end',
    mono: true,
    text: ({ address }) => String(address),
  },
  {
    id: 'reference',
    title: 'Reference',
    width: 84,
    mono: true,
    spare: 0,
    text: ({ reference }) => reference,
  },
  {
    id: 'registers',
    title: 'Registers',
    width: 150,
    grows: true,
    mono: true,
    text: ({ registers }) => registers,
  },
  {
    id: 'value',
    title: 'Value',
    width: 150,
    grows: true,
    align: 'end',
    mono: true,
    text: ({ value }) => value ?? '',
    render: ({ value }) =>
      value === null ? (
        <span class="quiet">not there</span>
      ) : (
        <strong title={value}>{formatNumber(value)}</strong>
      ),
  },
];

const ViewFields = () => {
  const { table, unit, address, count, type, order, isHex } = view.value;
  const units = pickedServer.value?.units ?? [];
  const isOfBits = holdsBits(table);
  const problems = viewProblems(view.value);
  return (
    <div class="fields view-fields">
      <Segments
        label="Table"
        value={table}
        choices={dataTables.map((value) => ({ value, label: value }))}
        onChange={(value) => changeView({ table: value })}
        testId="registers-table"
      />
      {units.length > 1 && (
        <SelectField
          label="Unit"
          value={String(unit ?? units[0])}
          choices={units.map((each) => ({ value: String(each), label: String(each) }))}
          onChange={(value) => changeView({ unit: Number(value) })}
          testId="registers-unit"
        />
      )}
      <TextField
        label="Address"
        value={address}
        onInput={(text) => changeView({ address: text })}
        error={problems.address}
        testId="registers-address"
      />
      <TextField
        label="Values"
        value={count}
        onInput={(text) => changeView({ count: text })}
        error={problems.count}
        testId="registers-count"
      />
      {!isOfBits && (
        <>
          <SelectField
            label="Type"
            value={type}
            choices={valueTypes.map((value) => ({ value, label: value }))}
            onChange={(value) => changeView({ type: value as typeof type })}
            testId="registers-type"
          />
          <SelectField
            label="Order"
            value={order}
            choices={wordOrders.map((value) => ({ value, label: value }))}
            onChange={(value) => changeView({ order: value as typeof order })}
            testId="registers-order"
          />
          <CheckField
            label="Hex"
            checked={isHex}
            onChange={(checked) => changeView({ isHex: checked })}
            testId="registers-hex"
          />
        </>
      )}
    </div>
  );
};

/** Ranges that are offered; more of them would be a table of their own. */
const offered = 12;

const Ranges = () => {
  const { ranges, range_total } = registers.value?.now ?? { ranges: [], range_total: 0 };
  if (ranges.length === 0) return null;
  return (
    <p class="ranges quiet" data-testid="registers-ranges">
      It has{' '}
      {ranges.slice(0, offered).map((range) => (
        <button
          key={`${range.table} ${range.address}`}
          type="button"
          class="link"
          onClick={() => changeView(viewOf(view.peek(), range))}
        >
          {range.table} {range.address}
          {range.count > 1 && `–${range.address + range.count - 1}`}
        </button>
      ))}
      {range_total > offered && `and ${range_total - offered} more`}
    </p>
  );
};

/** What the picked server holds, as it changes. */
export const RegistersPanel = () => {
  const server = pickedServer.value;
  const told = registers.value;
  const rows = server && told ? rowsOf(told.now, told.before) : [];
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
            <code>{endedServer.value}</code> has ended; its registers are shown when it is back.
          </p>
        </Notice>
      )}
      {server && <ViewFields />}
      {server && <ErrorNotice error={registersError.value} testId="registers-error" />}
      {server && <Ranges />}
      <DataTable<ValueRow>
        // Another look begins at its top.
        key={told && `${told.now.table} ${told.now.address}`}
        id="modbus-registers"
        label="Registers"
        testId="register-table"
        columns={valueColumns}
        rows={rows}
        keyOf={({ address }) => address}
        onSelect={(row) => told && prepareRequest(told.now, row)}
        rowAttributes={({ address, hasChanged }) => ({
          'data-address': String(address),
          'data-changed': hasChanged ? '' : undefined,
        })}
        empty={server ? 'Nothing is told of these yet.' : 'They stand here while a server runs.'}
      />
    </Panel>
  );
};
