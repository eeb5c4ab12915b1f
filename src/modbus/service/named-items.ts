import { type BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import {
  itemsFor,
  itemsPerValue,
  roomToRead,
  roomToWrite,
  type TypedItems,
  type ValueRoom,
} from '../client/typed-items.ts';
import { type DataTable, tableRows } from '../pdu/data-tables.ts';
import { addressSpace } from '../pdu/function-codes.ts';
import { requireWritable } from '../pdu/make-request.ts';
import { formatReference, type ItemAddress, parseReference } from '../pdu/references.ts';
import type { ValueType } from '../pdu/value-types.ts';
import type { WordOrder } from '../pdu/word-order.ts';
import type { ItemRecord, TargetRecord } from './item-record.ts';
import { exclusive } from './named-endpoint.ts';

export interface NamedItems {
  readonly table?: DataTable;
  readonly address?: number;
  readonly reference?: string;
  readonly type?: ValueType;
  readonly order?: WordOrder;
}

const namedItem = ({ table, address, reference }: NamedItems): ItemAddress => {
  if (reference !== undefined) {
    if (address !== undefined) throw exclusive('reference', 'address');
    return parseReference(reference, table);
  }
  if (table === undefined) {
    throw invalidArgument('table', 'table is required without a reference', { reason: 'missing' });
  }
  if (address === undefined) {
    throw invalidArgument('address', 'address or reference is required', { reason: 'missing' });
  }
  return { table, address };
};

const valueTypeOf = (type: ValueType | undefined, table: DataTable): ValueType => {
  const { holdsBits } = tableRows[table];
  if (holdsBits && type !== undefined && type !== 'bool') {
    throw invalidArgument('type', `The table ${table} contains bits: its values are bool`, {
      reason: 'not_in_table',
    });
  }
  return type ?? (holdsBits ? 'bool' : 'u16');
};

export const requestedItems = (named: NamedItems): TypedItems => {
  const item = namedItem(named);
  const type = valueTypeOf(named.type, item.table);
  if (type === 'bool' && named.order !== undefined) {
    throw invalidArgument('order', 'order does not apply to bool: omit it', {
      reason: 'exclusive',
    });
  }
  return { ...item, type, order: named.order ?? 'ABCD' };
};

export const itemRecord = (named: TargetRecord, unit: number, typed: TypedItems): ItemRecord => ({
  ...named,
  unit,
  table: typed.table,
  address: typed.address,
  reference: formatReference(typed),
  type: typed.type,
  order: typed.order,
});

export const tableField = ({ reference }: NamedItems): 'table' | 'reference' =>
  reference === undefined ? 'table' : 'reference';

/** If no value fits, the start is wrong. Names the field that the caller used. */
const noRoom = (typed: TypedItems, { reference }: NamedItems): BusbarError => {
  const { table, type } = typed;
  const size = itemsPerValue(typed);
  const last = { table, address: addressSpace - size };
  const [field, maximum] =
    reference === undefined ? ['address', last.address] : ['reference', formatReference(last)];
  return invalidArgument(
    field,
    `A value of ${type} needs ${size} registers: the last possible address is ${maximum}`,
    { reason: 'range', maximum },
  );
};

const requireRoom = (
  typed: TypedItems,
  named: NamedItems,
  field: 'count' | 'value',
  values: number,
  { inRequest, inTable }: ValueRoom,
): void => {
  if (inTable === 0) throw noRoom(typed, named);
  const maximum = Math.min(inRequest, inTable);
  if (values <= maximum) return;
  const max = `at most ${maximum} ${maximum === 1 ? 'value' : 'values'} of ${typed.type}`;
  const message =
    inTable < inRequest
      ? `From address ${typed.address} there is space for ${max}`
      : `One request can contain ${max}`;
  throw invalidArgument(field, message, { reason: 'range', minimum: 1, maximum });
};

export const itemsToRead = (typed: TypedItems, named: NamedItems, values: number): number => {
  requireRoom(typed, named, 'count', values, roomToRead(typed));
  return values * itemsPerValue(typed);
};

export const itemsToWrite = (
  typed: TypedItems,
  named: NamedItems,
  values: readonly string[],
): Uint16Array => {
  requireWritable(typed.table, tableField(named));
  requireRoom(typed, named, 'value', values.length, roomToWrite(typed));
  return itemsFor(typed, values);
};
