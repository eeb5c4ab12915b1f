import { useId } from 'preact/hooks';
import type { PathSegment } from '../../../../src/base/json/field-path.ts';
import { isJsonObject } from '../../../../src/base/json/json-value.ts';
import {
  type JsonSchema,
  type SchemaField,
  shapeOf,
} from '../../../../src/base/json-schema/json-schema.ts';
import { cellKind, cellText } from '../../project-editor/cell-text.ts';
import { problemText } from '../../project-editor/problem-index.ts';
import { rowIdOf, rowsOf } from '../../project-editor/project-document.ts';
import { fieldsFor, referencesTo, startValue } from '../../project-editor/row-schema.ts';
import { ScrollArea } from '../../ui/panel.tsx';
import { chosenRow, chosenTable, document, problems, rows, table, tables } from './editor-state.ts';
import { FieldInput } from './field-input.tsx';
import { JsonField } from './json-field.tsx';
import { copyRow, moveRow, removeRow, selectRow, setField } from './row-edits.ts';

type Path = readonly PathSegment[];

/** Sets a value of the selected row; `holder` is the schema of the object that contains it. */
const set = (path: Path, value: unknown, holder: JsonSchema | null = null): void => {
  if (chosenRow.peek() === null) return;
  setField(chosenTable.peek(), chosenRow.peek() as number, path, value, holder);
};

const problemAt = (path: Path): string | null => {
  const found = problems.value.at(chosenTable.value, chosenRow.value, path);
  return found.length === 0 ? null : found.map(problemText).join('; ');
};

interface FieldProps {
  readonly field: SchemaField;
  readonly value: unknown;
  readonly path: Path;
  readonly onChange: (value: unknown) => void;
}

const LineField = ({ field, value, path, onChange }: FieldProps) => {
  const id = useId();
  const problem = problemAt(path);
  return (
    <div class="field">
      <label for={id}>{field.name}</label>
      <FieldInput
        id={id}
        describedBy={`${id}-note`}
        schema={field.schema}
        value={value}
        label={field.name}
        problem={problem}
        isOptional={!field.isRequired}
        onChange={onChange}
      />
      <small id={`${id}-note`} data-tone={problem === null ? 'idle' : 'bad'}>
        {problem ?? field.schema.description}
      </small>
    </div>
  );
};

const ListField = ({ field: { name, schema }, value, path, onChange }: FieldProps) => {
  const items = Array.isArray(value) ? value : [];
  const item = schema.items ?? {};
  return (
    <fieldset class="nested">
      <legend title={schema.description}>{name}</legend>
      {items.map((each, at) => (
        <div class="item" key={at}>
          <ObjectFields schema={item} value={each} path={[...path, at]} />
          <button
            type="button"
            class="inline"
            aria-label={`Remove ${name} ${at + 1}`}
            onClick={() => onChange(items.length === 1 ? undefined : items.toSpliced(at, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        class="inline"
        onClick={() => onChange([...items, startValue(item, document.peek())])}
      >
        Add to {name}
      </button>
    </fieldset>
  );
};

const ObjectField = ({ field, value, path, onChange }: FieldProps) => {
  const { name, schema, isRequired } = field;
  const standard = schema.default === undefined ? '' : ` (default: ${cellText(schema.default)})`;
  const canRemove = !isRequired || schema.default !== undefined;
  return (
    <fieldset class="nested">
      <legend title={schema.description}>{name}</legend>
      {value === undefined ? (
        <button
          type="button"
          class="inline"
          onClick={() => onChange(schema.default ?? startValue(schema, document.peek()))}
        >
          Set {name}
          {standard}
        </button>
      ) : (
        <>
          <ObjectFields schema={schema} value={value} path={path} />
          {canRemove && (
            <button type="button" class="inline" onClick={() => onChange(undefined)}>
              Remove {name}
            </button>
          )}
        </>
      )}
    </fieldset>
  );
};

const AnyField = (props: FieldProps) => {
  const { schema, name } = props.field;
  if (cellKind(schema) !== 'nested') return <LineField {...props} />;
  switch (shapeOf(schema).kind) {
    case 'list':
      return <ListField {...props} />;
    case 'map':
      return <JsonField {...props} name={name} problem={problemAt(props.path)} />;
    default:
      return <ObjectField {...props} />;
  }
};

interface ObjectFieldsProps {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly path: Path;
}

const ObjectFields = ({ schema, value, path }: ObjectFieldsProps) => {
  const fields = fieldsFor(schema, value);
  const given = isJsonObject(value) ? value : {};
  const known = new Set(fields.map(({ name }) => name));
  const foreign = Object.keys(given).filter((name) => !known.has(name));
  return (
    <>
      {fields.map((field) => (
        <AnyField
          key={field.name}
          field={field}
          value={given[field.name]}
          path={[...path, field.name]}
          onChange={(next) => set([...path, field.name], next, schema)}
        />
      ))}
      {foreign.map((name) => (
        <p key={name} data-tone="bad">
          {name}: {cellText(given[name])} · not a field of this kind{' '}
          <button type="button" class="inline" onClick={() => set([...path, name], undefined)}>
            Remove {name}
          </button>
        </p>
      ))}
    </>
  );
};

const maxShown = 50;

const References = ({ index }: { readonly index: number }) => {
  const id = rowIdOf(rows.value[index]);
  if (id === null) return null;
  const found = referencesTo(document.value, tables.value, chosenTable.value, id);
  return (
    <div class="references">
      <h3>{found.length === 0 ? 'Not used by other rows' : 'Used by'}</h3>
      <ul>
        {found.slice(0, maxShown).map(({ table: from, index: at, path }) => (
          <li key={`${from}/${at}/${path.join('.')}`}>
            <button type="button" class="inline" onClick={() => selectRow(from, at)}>
              {from} · {rowIdOf(rowsOf(document.value, from)[at]) ?? `row ${at + 1}`}
            </button>
          </li>
        ))}
        {found.length > maxShown && <li>and {found.length - maxShown} more</li>}
      </ul>
    </div>
  );
};

/** All fields of the selected row, and the rows that use it. */
export const RowForm = () => {
  const index = chosenRow.value;
  const schema = table.value;
  if (schema === null) return null;
  if (index === null) return <p class="empty">Select a row to see all of its fields.</p>;
  const { name } = schema;
  return (
    <ScrollArea class="row-form">
      <div class="actions">
        <button type="button" class="inline" onClick={() => moveRow(name, index, -1)}>
          Up
        </button>
        <button type="button" class="inline" onClick={() => moveRow(name, index, 1)}>
          Down
        </button>
        <button
          type="button"
          class="inline"
          data-testid="editor-copy"
          onClick={() => copyRow(name, index)}
        >
          Duplicate
        </button>
        <button
          type="button"
          class="inline danger"
          data-testid="editor-remove"
          onClick={() => removeRow(name, index)}
        >
          Remove row
        </button>
      </div>
      <div key={`${name}/${index}`} class="row-fields">
        <ObjectFields schema={schema.row} value={rows.value[index]} path={[]} />
      </div>
      <References index={index} />
    </ScrollArea>
  );
};
