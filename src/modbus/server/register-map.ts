import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { type DataTable, dataTables, tableRows } from '../pdu/data-tables.ts';
import { addressSpace } from '../pdu/function-codes.ts';
import { AddressRanges } from './address-ranges.ts';

export interface MappedRange {
  readonly table: DataTable;
  readonly address: number;
  readonly count: number;
  /** Whether clients may write. Default: if the table is writable. */
  readonly writable?: boolean;
}

export type RegisterMap = readonly MappedRange[];

export interface TableAccess {
  readonly readable: AddressRanges;
  readonly writable: AddressRanges;
}

export type MapAccess = Readonly<Record<DataTable, TableAccess>>;

const requireRange = ({ table, address, count, writable }: MappedRange, index: number): void => {
  const field = (name: string): string => `map[${index}].${name}`;
  if (!Number.isInteger(address) || address < 0 || address >= addressSpace) {
    throw invalidArgument(field('address'), 'address is an integer from 0 to 65535');
  }
  if (!Number.isInteger(count) || count < 1 || count > addressSpace - address) {
    throw invalidArgument(
      field('count'),
      `count must be from 1 to ${addressSpace - address} from this address`,
    );
  }
  if (writable === true && !tableRows[table].isWritable) {
    throw invalidArgument(field('writable'), `Clients cannot write the table ${table}`);
  }
};

const none = new AddressRanges([]);

const everything = (table: DataTable): TableAccess => ({
  readable: AddressRanges.all,
  writable: tableRows[table].isWritable ? AddressRanges.all : none,
});

const accessOf = (table: DataTable, map: RegisterMap): TableAccess => {
  const ranges = map.filter((range) => range.table === table);
  const writable = ranges.filter((range) => range.writable ?? tableRows[table].isWritable);
  return { readable: new AddressRanges(ranges), writable: new AddressRanges(writable) };
};

export const mapAccess = (map?: RegisterMap): MapAccess => {
  map?.forEach(requireRange);
  const rows = dataTables.map((table) => [
    table,
    map === undefined ? everything(table) : accessOf(table, map),
  ]);
  return Object.fromEntries(rows) as MapAccess;
};
