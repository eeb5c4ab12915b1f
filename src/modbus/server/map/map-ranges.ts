import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { PathSegment } from '../../../base/json/field-path.ts';
import { type DataTable, tableRows } from '../../pdu/data-tables.ts';
import { addressSpace } from '../../pdu/function-codes.ts';
import { registersOf, requireBool } from '../../pdu/register-values.ts';
import { registersPerValue, type ValueType } from '../../pdu/value-types.ts';
import type { MappedRange } from '../register-map.ts';
import type { FileRange } from './map-file.ts';
import type { MapProblems } from './map-problems.ts';

export interface PresetRange extends MappedRange {
  readonly writable: boolean;
  /** Registers, or bits as 0 and 1, from the first item. Later items are 0. */
  readonly items: Uint16Array;
}

const isPlain = (value: unknown): value is string | number | bigint | boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

const typeOf = (
  table: DataTable,
  { type, order }: FileRange,
  at: readonly PathSegment[],
  problems: MapProblems,
): ValueType => {
  const { holdsBits } = tableRows[table];
  if (holdsBits && type !== undefined && type !== 'bool') {
    problems.add([...at, 'type'], `must be bool, because the table ${table} contains bits`);
  }
  const found = holdsBits ? 'bool' : (type ?? 'u16');
  if (found === 'bool' && order !== undefined) {
    problems.add([...at, 'order'], 'does not apply to a bool');
  }
  return found;
};

const itemsOf = (
  table: DataTable,
  type: ValueType,
  { values = [], order = 'ABCD' }: FileRange,
  at: readonly PathSegment[],
  problems: MapProblems,
): Uint16Array | undefined => {
  const strange = values.findIndex((value) => !isPlain(value));
  if (strange >= 0) {
    return problems.add([...at, 'values', strange], 'must be a number, a string, true or false');
  }
  const texts = values.map(String);
  try {
    return tableRows[table].holdsBits
      ? Uint16Array.from(texts, (text, index) => (requireBool(text, index) ? 1 : 0))
      : registersOf(type, order, texts);
  } catch (thrown) {
    const { message, details } = BusbarError.from(thrown);
    return problems.add([...at, 'values', Number(details.index)], `is invalid: ${message}`);
  }
};

const countOf = (
  { count, values }: FileRange,
  size: number,
  address: number,
  at: readonly PathSegment[],
  problems: MapProblems,
): number | undefined => {
  const given = values?.length ?? 0;
  const max = Math.floor((addressSpace - address) / size);
  if (count === undefined) {
    if (values === undefined) return problems.add(at, 'needs count or values');
    if (given >= 1 && given <= max) return given * size;
    return problems.add([...at, 'values'], `must have 1 to ${max} values here`);
  }
  const counted = problems.integer([...at, 'count'], count, 1, max);
  if (counted !== undefined && given > counted) {
    return problems.add([...at, 'values'], `has more values than count, which is ${counted}`);
  }
  return counted === undefined ? undefined : counted * size;
};

export const presetRange = (
  table: DataTable,
  range: FileRange,
  at: readonly PathSegment[],
  problems: MapProblems,
): PresetRange | undefined => {
  const type = typeOf(table, range, at, problems);
  const item = problems.item(at, range, table);
  const items = itemsOf(table, type, range, at, problems);
  const { isWritable, holdsBits } = tableRows[table];
  if (range.access === 'read_write' && !isWritable) {
    problems.add(
      [...at, 'access'],
      `must be read, because clients cannot write the table ${table}`,
    );
  }
  if (item === undefined) return undefined;
  const size = holdsBits ? 1 : registersPerValue[type];
  const count = countOf(range, size, item.address, at, problems);
  if (count === undefined || items === undefined) return undefined;
  const writable = isWritable && range.access !== 'read';
  return { table, address: item.address, count, writable, items };
};

export const findOverlaps = (
  ranges: readonly (PresetRange | undefined)[],
  at: readonly PathSegment[],
  problems: MapProblems,
): void => {
  const known = ranges.flatMap((range, index) => (range ? [{ ...range, index }] : []));
  known.sort((one, other) => one.address - other.address || one.index - other.index);
  let furthest: (typeof known)[number] | undefined;
  for (const range of known) {
    if (furthest && range.address < furthest.address + furthest.count) {
      const [first, second] = [furthest.index, range.index].sort((one, other) => one - other);
      problems.add([...at, second ?? 0], `overlaps number ${(first ?? 0) + 1}`);
    }
    const end = range.address + range.count;
    if (!furthest || end > furthest.address + furthest.count) furthest = range;
  }
};
