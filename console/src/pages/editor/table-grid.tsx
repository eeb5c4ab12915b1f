import { computed, signal } from '@preact/signals';
import { isJsonObject } from '../../../../src/base/json/json-value.ts';
import type { SchemaField } from '../../../../src/base/json-schema/json-schema.ts';
import { cellKind, cellText } from '../../project-editor/cell-text.ts';
import { problemText } from '../../project-editor/problem-index.ts';
import { columnsOf, hasField } from '../../project-editor/row-schema.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { chosenRow, chosenTable, problems, rows, table } from './editor-state.ts';
import { FieldInput } from './field-input.tsx';
import { selectRow, setField } from './row-edits.ts';

interface GridRow {
  readonly row: unknown;
  readonly index: number;
}

const fields = computed(() => (table.value === null ? [] : columnsOf(table.value.row)));
const chosenField = signal('id');
const isEditing = signal(false);

const set = (index: number, name: string, value: unknown): void =>
  setField(chosenTable.peek(), index, [name], value, table.peek()?.row);

const valueIn = ({ row }: GridRow, name: string): unknown =>
  isJsonObject(row) ? row[name] : name === 'id' ? row : undefined;

const isChosen = (index: number, name: string): boolean =>
  chosenRow.value === index && chosenField.value === name;

const choose = (index: number, name: string): void => {
  chosenField.value = name;
  selectRow(chosenTable.peek(), index);
};

const beside = (step: number): void => {
  const names = fields.peek().map(({ name }) => name);
  const at = names.indexOf(chosenField.peek()) + step;
  chosenField.value = names[Math.max(0, Math.min(names.length - 1, at))] ?? 'id';
};

const canEdit = (index: number, name: string): boolean => {
  const field = fields.peek().find((each) => each.name === name);
  const schema = table.peek();
  if (field === undefined || schema === null || cellKind(field.schema) === 'nested') return false;
  const row = rows.peek()[index];
  return hasField(schema.row, row, name) || valueIn({ row, index }, name) !== undefined;
};

const focusTable = (from: EventTarget | null): void => {
  const scroller = (from as HTMLElement | null)?.closest<HTMLElement>('.table-scroll');
  isEditing.value = false;
  scroller?.focus();
};

const editKeys = (event: KeyboardEvent): void => {
  event.stopPropagation();
  if (event.key === 'Escape' || event.key === 'Enter') {
    event.preventDefault();
    focusTable(event.currentTarget);
  } else if (event.key === 'Tab') {
    event.preventDefault();
    beside(event.shiftKey ? -1 : 1);
    const row = chosenRow.peek();
    if (row === null || !canEdit(row, chosenField.peek())) focusTable(event.currentTarget);
  }
};

const Cell = ({ field, at }: { readonly field: SchemaField; readonly at: GridRow }) => {
  const { name, schema } = field;
  const value = valueIn(at, name);
  const found = problems.value.at(chosenTable.value, at.index, [name]);
  const [first] = found;
  const problem = first === undefined ? null : found.map(problemText).join('; ');
  if (isEditing.value && isChosen(at.index, name)) {
    return (
      <FieldInput
        schema={schema}
        value={value}
        label={name}
        problem={problem}
        isOptional={name !== table.value?.row['x-variant']}
        isFocused
        onKeyDown={editKeys}
        onEnd={() => {
          if (isChosen(at.index, name)) isEditing.value = false;
        }}
        onChange={(next) => set(at.index, name, next)}
      />
    );
  }
  const applies = table.value !== null && hasField(table.value.row, at.row, name);
  const standard = applies && schema.default !== undefined ? cellText(schema.default) : '';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard edits the chosen cell
    <span
      class="field-cell"
      data-cell={name}
      data-chosen={isChosen(at.index, name) ? '' : undefined}
      data-tone={problem === null ? undefined : 'bad'}
      data-applies={applies ? undefined : 'no'}
      title={problem ?? undefined}
      onMouseDown={() => choose(at.index, name)}
      onDblClick={() => {
        if (canEdit(at.index, name)) isEditing.value = true;
      }}
    >
      {problem !== null && <span aria-hidden="true">⚠ </span>}
      {value === undefined ? (
        <span class="quiet">{applies ? standard : '·'}</span>
      ) : (
        cellText(value)
      )}
    </span>
  );
};

const widthOf = ({ name, schema }: SchemaField): number =>
  name === 'id' ? 168 : cellKind(schema) === 'nested' || name === 'comment' ? 160 : 112;

const alwaysShown = 3;

/** The form of the row has the fields for which the table has no room: the last ones first. */
const spareRank = ({ name, schema }: SchemaField, rank: number): number =>
  name === 'comment' ? 2 : cellKind(schema) === 'nested' ? 1 : rank;

const columns = computed((): readonly Column<GridRow>[] =>
  fields.value.map((field, at) => ({
    id: field.name,
    title: field.name,
    width: widthOf(field),
    ...(field.name === 'id' ? { least: 128, grows: true } : { least: 64 }),
    ...(at < alwaysShown ? {} : { spare: spareRank(field, at - fields.value.length) }),
    text: (row) => cellText(valueIn(row, field.name)),
    render: (row) => <Cell field={field} at={row} />,
  })),
);

const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

const gridKeys = (event: KeyboardEvent): void => {
  if (isEditing.peek()) return;
  const row = chosenRow.peek();
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step !== undefined && !event.altKey) beside(step);
  else if (row === null || !canEdit(row, chosenField.peek())) return;
  else if (event.key === 'Enter' || event.key === 'F2' || isTyped(event)) isEditing.value = true;
  else if (event.key === 'Delete') set(row, chosenField.peek(), undefined);
  else return;
  if (!isTyped(event)) event.preventDefault();
};

export const TableGrid = () => (
  // biome-ignore lint/a11y/noStaticElementInteractions: keys of the table in it
  <div class="grid-keys" onKeyDown={gridKeys}>
    <DataTable<GridRow>
      key={chosenTable.value}
      id={`editor-${chosenTable.value}`}
      label={`Rows of ${chosenTable.value}`}
      columns={columns.value}
      count={rows.value.length}
      rowAt={(index) => ({ row: rows.value[index], index })}
      keyOf={(_, index) => index}
      selected={(_, index) => index === chosenRow.value}
      onSelect={(_, index) => {
        if (chosenRow.peek() !== index) selectRow(chosenTable.peek(), index);
      }}
      rowAttributes={({ row }) => ({ 'data-row': isJsonObject(row) ? String(row.id) : undefined })}
      empty={`No ${chosenTable.value}. Add a row.`}
    />
  </div>
);
