import { type DataTable, dataTables, tableRows } from '../../../../src/modbus/pdu/data-tables.ts';
import { addressSpace } from '../../../../src/modbus/pdu/function-codes.ts';
import { formatReference } from '../../../../src/modbus/pdu/references.ts';
import type { ValueType } from '../../../../src/modbus/pdu/value-types.ts';
import type { WordOrder } from '../../../../src/modbus/pdu/word-order.ts';
import type { ModbusRegisters } from '../../api/client.ts';
import { sentence } from '../../format/figures.ts';
import { integerOf } from '../../forms/number-text.ts';

export const holdsBits = (table: DataTable): boolean => tableRows[table].holdsBits;
export const tableNames: Readonly<Record<DataTable, string>> = {
  coil: 'coils',
  discrete: 'discrete inputs',
  input: 'input registers',
  holding: 'holding registers',
};
export const tableChoices = dataTables.map((value) => ({
  value,
  label: sentence(tableNames[value]),
}));

export const isWritable = (table: DataTable): boolean => tableRows[table].isWritable;

export const firstView = {
  unit: '',
  table: 'holding' as DataTable,
  address: '0',
  count: '32',
  type: 'u16' as ValueType,
  order: 'ABCD' as WordOrder,
  isHex: false,
};

export type RegisterView = Readonly<typeof firstView>;

const isWithin = (value: unknown, least: number, max: number): value is number =>
  typeof value === 'number' && value >= least && value <= max;

export const viewProblems = ({ address, count }: RegisterView) => ({
  address: isWithin(integerOf(address), 0, addressSpace - 1) ? null : 'Must be 0 to 65535',
  count: isWithin(integerOf(count), 1, 2000) ? null : 'Must be 1 to 2000',
});

export const lookOf = (endpoint: string | null, view: RegisterView): string | null => {
  const problems = viewProblems(view);
  if (endpoint === null || problems.address !== null || problems.count !== null) return null;
  const query = new URLSearchParams({
    endpoint,
    table: view.table,
    address: String(integerOf(view.address)),
    count: String(integerOf(view.count)),
    show: view.isHex ? 'hex' : 'decimal',
  });
  if (view.unit !== '') query.set('unit', view.unit);
  if (!holdsBits(view.table)) {
    query.set('type', view.type);
    if (view.type !== 'bool') query.set('order', view.order);
  }
  return String(query);
};

/** Stream of sessions, servers and one register query: all windows share one connection. */
export const streamPath = (look: string | null): string =>
  `/api/v1/modbus/stream${look === null ? '' : `?also=${encodeURIComponent(look)}`}`;

const hexOf = (register: number | null): string =>
  register === null ? '----' : register.toString(16).toUpperCase().padStart(4, '0');

export interface ValueRow {
  readonly address: number;
  readonly reference: string;
  readonly registers: string;
  readonly value: string | null;
  readonly hasChanged: boolean;
}

type Items = Pick<ModbusRegisters, 'table' | 'address' | 'values' | 'registers'>;

export const rowsOf = (items: Items, before: Items | null = null): readonly ValueRow[] => {
  const { table, address, values, registers } = items;
  const size = values.length === 0 ? 1 : registers.length / values.length;
  const isSame =
    before?.table === table &&
    before.address === address &&
    before.registers.length === registers.length;
  return values.map((value, index) => {
    const first = index * size;
    const own = registers.slice(first, first + size);
    const earlier = isSame ? before.registers.slice(first, first + size) : own;
    return {
      address: address + first,
      reference: formatReference({ table, address: address + first }),
      registers: own.map(holdsBits(table) ? String : hexOf).join(' '),
      value,
      hasChanged: own.some((register, at) => register !== earlier[at]),
    };
  });
};

type ItemRange = ModbusRegisters['ranges'][number];

/** Values of the widest type that fit into one request. */
const maxShown = 100;

export const viewOf = (view: RegisterView, { table, address, count }: ItemRange): RegisterView => ({
  ...view,
  table,
  address: String(address),
  count: String(Math.min(count, maxShown)),
});

/** Prefers registers to bits, and long ranges. */
const rankOf = ({ table, count }: ItemRange): number => (holdsBits(table) ? count / 65_536 : count);

/** View of the best range, if the current one is not completely mapped. */
export const betterView = (view: RegisterView, reported: ModbusRegisters): RegisterView | null => {
  const [best] = [...reported.ranges].sort((one, other) => rankOf(other) - rankOf(one));
  if (!best || !reported.registers.includes(null)) return null;
  return viewOf(view, best);
};
