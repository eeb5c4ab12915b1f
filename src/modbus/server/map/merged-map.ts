import { type DataTable, dataTables, tableRows } from '../../pdu/data-tables.ts';
import { addressSpace } from '../../pdu/function-codes.ts';
import type { MappedRange, RegisterMap } from '../register-map.ts';

const itemsPerTurn = 4096;

const nothing = 0;
const readable = 1;
const writable = 2;

/** Ranges of one table. Adjacent ranges with equal access are merged. */
const rangesOf = async (
  table: DataTable,
  kinds: Uint8Array,
  nextTurn: () => Promise<void>,
): Promise<MappedRange[]> => {
  const ranges: MappedRange[] = [];
  let from = 0;
  for (let address = 1; address <= addressSpace; address++) {
    if (address % itemsPerTurn === 0) await nextTurn();
    const kind = kinds[from];
    if (address < addressSpace && kinds[address] === kind) continue;
    if (kind !== nothing) {
      ranges.push({ table, address: from, count: address - from, writable: kind === writable });
    }
    from = address;
  }
  return ranges;
};

/** The same map in as few ranges as possible, sorted by address. Large maps take several turns. */
export const mergedMap = async (
  map: RegisterMap,
  nextTurn: () => Promise<void>,
): Promise<RegisterMap> => {
  const tables = new Map<DataTable, Uint8Array>();
  let marked = 0;
  for (const range of map) {
    const { table, address, count } = range;
    const kinds = tables.get(table) ?? new Uint8Array(addressSpace);
    tables.set(table, kinds);
    const kind = (range.writable ?? tableRows[table].isWritable) ? writable : readable;
    for (let at = address; at < address + count; at++) {
      if ((kinds[at] as number) < kind) kinds[at] = kind;
    }
    marked += count + 1;
    if (marked < itemsPerTurn) continue;
    marked = 0;
    await nextTurn();
  }
  const merged: MappedRange[] = [];
  for (const table of dataTables) {
    const kinds = tables.get(table);
    if (kinds) merged.push(...(await rangesOf(table, kinds, nextTurn)));
  }
  return merged;
};
