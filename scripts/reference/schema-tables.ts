import { type JsonSchema, shapeOf } from '../../src/base/json-schema/json-schema.ts';
import { rangeText } from '../../src/base/json-schema/schema-text.ts';
import { code, table } from './markdown.ts';

const codes = (values: readonly unknown[]): string =>
  values.map((value) => code(`${value}`)).join(', ');

interface Form {
  readonly marks: readonly string[];
  readonly schema: JsonSchema;
}

const formsOf = (schema: JsonSchema): Form[] => {
  const field = schema['x-variant'];
  if (field === undefined) return [{ marks: [], schema }];
  return (schema.anyOf ?? []).flatMap(formsOf).map(({ marks, schema: form }) => {
    const values = form.properties?.[field]?.enum ?? [];
    return { marks: [`${field} ${codes(values)}`, ...marks], schema: form };
  });
};

const typeOf = (schema: JsonSchema): string => {
  const shape = shapeOf(schema);
  if (schema['x-table'] !== undefined) return `id of a row of ${code(schema['x-table'])}`;
  if (schema['x-variant'] !== undefined) return 'object';
  switch (shape.kind) {
    case 'union':
      return shape.branches.map(typeOf).join(', or ');
    case 'choice':
      return codes(shape.values);
    case 'list':
      return `list: ${typeOf(shape.items)}`;
    case 'string':
      return schema['x-rule']?.replace(/^must be /, 'text: ') ?? 'text';
    case 'boolean':
      return '`true`, `false`';
    case 'integer':
    case 'number':
      return [shape.kind, rangeText(schema)].filter(Boolean).join(', ');
    default:
      return 'object';
  }
};

const neededText = (name: string, field: JsonSchema, { required = [] }: JsonSchema): string => {
  if (field.default !== undefined) return `default ${code(JSON.stringify(field.default))}`;
  return required.includes(name) ? 'required' : '';
};

type Row = readonly [field: string, needed: string, type: string, meaning: string];

/** What a field contains: the items of a list, the values of a map, or itself. */
const innerOf = (field: JsonSchema): { readonly inner: JsonSchema; readonly mark: string } => {
  const shape = shapeOf(field);
  if (shape.kind === 'list') return { inner: shape.items, mark: '[]' };
  return shape.kind === 'map' ? { inner: shape.values, mark: '.*' } : { inner: field, mark: '' };
};

/** Objects whose fields are rows: itself, or forms without a field that selects them. */
const objectsIn = (schema: JsonSchema): readonly JsonSchema[] => {
  if (schema.properties) return [schema];
  return schema['x-variant'] === undefined ? (schema.anyOf ?? []).flatMap(objectsIn) : [];
};

const isNew = (row: Row, index: number, rows: readonly Row[]): boolean =>
  rows.findIndex(([field]) => field === row[0]) === index;

export const rowsOf = (schema: JsonSchema, path: string, unions: [string, JsonSchema][]): Row[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = `${path}${name}`;
    const { inner, mark } = innerOf(field);
    if (inner['x-variant'] !== undefined) unions.push([own, inner]);
    const row: Row = [
      code(own),
      neededText(name, field, schema),
      typeOf(field),
      field.description ?? '',
    ];
    return [row, ...objectsIn(inner).flatMap((each) => rowsOf(each, `${own}${mark}.`, unions))];
  });

export const sections = (title: string, schema: JsonSchema, path = ''): string[] =>
  formsOf(schema).flatMap(({ marks, schema: form }) => {
    const heading = [title, ...marks].filter(Boolean).join(', ');
    const unions: [string, JsonSchema][] = [];
    const rows = rowsOf(form, path, unions).filter(isNew);
    return [
      ...(heading === '' ? [] : [`## ${heading}`, '']),
      ...table(['field', 'default', 'type', 'meaning'], rows),
      ...unions.flatMap(([name, union]) => sections(code(name), union, `${name}.`)),
    ];
  });
