import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { itemsPerValue, type TypedItems, textsOf } from '../client/typed-items.ts';
import { dataTables, tableRows } from '../pdu/data-tables.ts';
import type { ValueNotation } from '../pdu/hex-values.ts';
import type { DataModel } from '../server/data-model.ts';
import type { ModbusServer } from '../server/modbus-server.ts';
import type { ItemRecord } from './item-record.ts';
import type { NamedEndpoint } from './named-endpoint.ts';
import type { NamedItems } from './named-items.ts';
import type { ModbusRegisters } from './request-record.ts';

export interface RegistersRequest extends NamedEndpoint, NamedItems {
  readonly unit?: number;
  readonly count: number;
  readonly show: ValueNotation;
}

export const withFirstItems = (request: RegistersRequest): NamedItems =>
  request.reference === undefined ? { table: 'holding', address: 0, ...request } : request;

/** Model of a unit. A server with a single unit needs no unit number. */
export const requireModel = (
  server: ModbusServer,
  asked: number | undefined,
  endpoint: string,
): { readonly unit: number; readonly model: DataModel } => {
  const { units } = server.record();
  const unit = asked ?? (units.length === 1 ? units[0] : undefined);
  const model = unit === undefined ? undefined : server.modelOf(unit);
  if (unit !== undefined && model) return { unit, model };
  const reason = asked === undefined ? 'missing' : 'unknown';
  throw invalidArgument('unit', `${endpoint} has the units ${units.join(', ')}`, { reason, units });
};

const rangesShown = 256;

export const heldItems = (
  model: DataModel,
  typed: TypedItems,
  values: number,
  notation: ValueNotation | undefined,
): Omit<ModbusRegisters, keyof ItemRecord> => {
  const { table, address } = typed;
  const size = itemsPerValue(typed);
  const { readable } = model.access[table];
  const itemAt = (at: number): number => {
    const item = model.tables[table].get(at);
    return tableRows[table].holdsBits ? Number(item) : (item as number);
  };
  const registers = Array.from({ length: values * size }, (_, index) =>
    readable.covers(address + index, 1) ? itemAt(address + index) : null,
  );
  const texts = Array.from({ length: values }, (_, index) => {
    const items = registers.slice(index * size, (index + 1) * size);
    if (items.includes(null)) return null;
    const [text = null] = textsOf(typed, Uint16Array.from(items as number[]), notation);
    return text;
  });
  const ranges = dataTables.flatMap((each) =>
    model.access[each].readable.ranges.map((range) => ({ table: each, ...range })),
  );
  return {
    values: texts,
    registers,
    ranges: ranges.slice(0, rangesShown),
    range_total: ranges.length,
  };
};
