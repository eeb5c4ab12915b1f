import type { PathSegment } from '../../../src/base/json/field-path.ts';
import { isJsonObject } from '../../../src/base/json/json-value.ts';

/** A project file as parsed, valid or not. Edits return copies that share what did not change. */
export type ProjectDocument = Readonly<Record<string, unknown>>;
export type ProjectRow = Readonly<Record<string, unknown>>;

export const rowsOf = (document: ProjectDocument, table: string): readonly unknown[] => {
  const rows = document[table];
  return Array.isArray(rows) ? rows : [];
};

export const rowIdOf = (row: unknown): string | null => {
  const id = isJsonObject(row) ? row.id : null;
  return typeof id === 'string' ? id : null;
};

export const idsOf = (document: ProjectDocument, table: string): readonly string[] =>
  rowsOf(document, table).flatMap((row) => rowIdOf(row) ?? []);

export const valueAt = (value: unknown, path: readonly PathSegment[]): unknown =>
  path.reduce<unknown>(
    (part, segment) =>
      Array.isArray(part) || isJsonObject(part)
        ? (part as Record<PathSegment, unknown>)[segment]
        : undefined,
    value,
  );

/**
 * Returns a copy with another value at the path; containers that are missing are created.
 * Undefined removes the field or the item.
 */
export const withValue = (
  target: unknown,
  path: readonly PathSegment[],
  value: unknown,
): unknown => {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  if (typeof segment === 'number') {
    const items = Array.isArray(target) ? [...target] : [];
    const item = withValue(items[segment], rest, value);
    if (item === undefined) items.splice(segment, 1);
    else items[segment] = item;
    return items;
  }
  const fields = isJsonObject(target) ? target : {};
  const field = withValue(fields[segment], rest, value);
  if (field !== undefined) return { ...fields, [segment]: field };
  const { [segment]: _removed, ...kept } = fields;
  return kept;
};

export const withRows = (
  document: ProjectDocument,
  table: string,
  rows: readonly unknown[],
): ProjectDocument => ({ ...document, [table]: rows });

export const withRow = (
  document: ProjectDocument,
  table: string,
  index: number,
  row: ProjectRow,
): ProjectDocument => withRows(document, table, rowsOf(document, table).toSpliced(index, 0, row));

export const withoutRow = (
  document: ProjectDocument,
  table: string,
  index: number,
): ProjectDocument => withRows(document, table, rowsOf(document, table).toSpliced(index, 1));

export const withMovedRow = (
  document: ProjectDocument,
  table: string,
  from: number,
  to: number,
): ProjectDocument => {
  const rows = rowsOf(document, table);
  return withRows(document, table, rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]));
};
