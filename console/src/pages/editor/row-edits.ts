import { fieldPath, type PathSegment } from '../../../../src/base/json/field-path.ts';
import type { JsonSchema } from '../../../../src/base/json-schema/json-schema.ts';
import {
  type ProjectDocument,
  rowIdOf,
  rowsOf,
  valueAt,
  withMovedRow,
  withoutRow,
  withRow,
  withValue,
} from '../../project-editor/project-document.ts';
import {
  copyOfRow,
  newRow,
  type TableSchema,
  withField,
  withRenamedRow,
} from '../../project-editor/row-schema.ts';
import { change, chooseRow, document, endEdit, opened, tables } from './editor-state.ts';

const nameOf = (tableName: string, index: number): string =>
  rowIdOf(rowsOf(document.peek(), tableName)[index]) ?? `row ${index + 1}`;

/**
 * Sets a field of a row, or of an object in it with the schema `holder`. A new ID also changes the
 * references to the row.
 */
export const setField = (
  tableName: string,
  index: number,
  path: readonly PathSegment[],
  value: unknown,
  holder: JsonSchema | null = null,
): void => {
  const current = document.peek();
  const [name, parent] = [path.at(-1), [tableName, index, ...path.slice(0, -1)]];
  const place = `${tableName}/${index}/${fieldPath(path)}`;
  const label = `${nameOf(tableName, index)}: ${fieldPath(path)}`;
  if (path.length === 1 && name === 'id' && typeof value === 'string') {
    // While it is typed, the ID can be that of another row, whose references must stay.
    const before = opened.peek()?.history.before(place) ?? current;
    change(withRenamedRow(before, tables.peek(), tableName, index, value), label, place);
    return;
  }
  const isField = holder !== null && typeof name === 'string';
  const next = isField
    ? withValue(current, parent, withField(current, holder, valueAt(current, parent), name, value))
    : withValue(current, [tableName, index, ...path], value);
  change(next as ProjectDocument, label, place);
};

export const setHeader = (field: string, value: unknown): void =>
  change(withValue(document.peek(), [field], value) as ProjectDocument, field, `/${field}`);

/** Shows a row in its table. */
export const selectRow = (tableName: string, index: number): void => {
  endEdit();
  chooseRow(tableName, index);
};

const schemaOf = (tableName: string): TableSchema | undefined =>
  tables.peek().find(({ name }) => name === tableName);

export const addRow = (tableName: string, fields = {}): void => {
  const schema = schemaOf(tableName);
  if (schema === undefined) return;
  const current = document.peek();
  const index = rowsOf(current, tableName).length;
  const row = newRow(current, schema, fields);
  change(withRow(current, tableName, index, row), `new ${String(row.id)}`);
  selectRow(tableName, index);
};

export const copyRow = (tableName: string, index: number): void => {
  const current = document.peek();
  const row = rowsOf(current, tableName)[index];
  const copy = copyOfRow(current, tableName, row as never);
  change(withRow(current, tableName, index + 1, copy), `copy of ${nameOf(tableName, index)}`);
  selectRow(tableName, index + 1);
};

export const removeRow = (tableName: string, index: number): void => {
  const label = `remove ${nameOf(tableName, index)}`;
  change(withoutRow(document.peek(), tableName, index), label);
  selectRow(tableName, Math.max(0, Math.min(index, rowsOf(document.peek(), tableName).length - 1)));
};

export const moveRow = (tableName: string, index: number, step: number): void => {
  const to = index + step;
  if (to < 0 || to >= rowsOf(document.peek(), tableName).length) return;
  change(withMovedRow(document.peek(), tableName, index, to), `move ${nameOf(tableName, index)}`);
  selectRow(tableName, to);
};
