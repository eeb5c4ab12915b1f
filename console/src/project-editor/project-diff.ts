import { isJsonObject } from '../../../src/base/json/json-value.ts';
import { stringifyJson } from '../../../src/base/json/stringify-json.ts';
import { type ProjectDocument, rowIdOf, rowsOf } from './project-document.ts';

export interface FieldChange {
  readonly field: string;
  /** Undefined if the field is absent. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface RowChange {
  /** Null for fields of the file itself. */
  readonly table: string | null;
  readonly row: string | null;
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly fields: readonly FieldChange[];
}

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && stringifyJson(one) === stringifyJson(other));

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) ? value : value === undefined ? {} : { '': value };

const changesOf = (before: unknown, after: unknown): readonly FieldChange[] => {
  // Rows that no edit touched are the same object.
  if (before === after) return [];
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter((field) => !isSame(old[field], next[field]))
    .map((field) => ({ field, before: old[field], after: next[field] }));
};

/** Rows by ID; rows that share an ID, or have none, by number. */
export const keysOf = (rows: readonly unknown[]): readonly string[] => {
  const counts = new Map<string, number>();
  return rows.map((row, index) => {
    const id = rowIdOf(row) ?? `row ${index + 1}`;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id} (${count})`;
  });
};

/** Indexes of a longest increasing run of numbers. */
const longestIncrease = (numbers: readonly number[]): ReadonlySet<number> => {
  const ends: number[] = [];
  const before = numbers.map(() => -1);
  numbers.forEach((number, at) => {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    before[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  });
  const kept = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) kept.add(at);
  return kept;
};

const tableChanges = (
  table: string,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly RowChange[] => {
  const [oldKeys, newKeys] = [keysOf(before), keysOf(after)];
  const oldPlaces = new Map(oldKeys.map((key, index) => [key, index]));
  const present = new Set(newKeys);
  const shared = newKeys.filter((key) => oldPlaces.has(key));
  const inOrder = longestIncrease(shared.map((key) => oldPlaces.get(key) as number));
  const moved = new Set(shared.filter((_, at) => !inOrder.has(at)));
  const removed = oldKeys.flatMap((row, index): RowChange[] =>
    present.has(row)
      ? []
      : [{ table, row, kind: 'removed', fields: changesOf(before[index], undefined) }],
  );
  const others = newKeys.flatMap((row, index): RowChange[] => {
    const place = oldPlaces.get(row);
    const fields = changesOf(place === undefined ? undefined : before[place], after[index]);
    if (place === undefined) return [{ table, row, kind: 'added', fields }];
    if (fields.length > 0) return [{ table, row, kind: 'changed', fields }];
    return moved.has(row) ? [{ table, row, kind: 'moved', fields }] : [];
  });
  return [...removed, ...others];
};

/** What changed from one document to another, in the order of the tables. */
export const projectDiff = (
  before: ProjectDocument,
  after: ProjectDocument,
  tables: readonly string[],
): readonly RowChange[] => {
  const withoutTables = (document: ProjectDocument): ProjectDocument =>
    Object.fromEntries(Object.entries(document).filter(([name]) => !tables.includes(name)));
  const header = changesOf(withoutTables(before), withoutTables(after));
  return [
    ...(header.length > 0
      ? [{ table: null, row: null, kind: 'changed', fields: header } as const]
      : []),
    ...tables.flatMap((table) => tableChanges(table, rowsOf(before, table), rowsOf(after, table))),
  ];
};
