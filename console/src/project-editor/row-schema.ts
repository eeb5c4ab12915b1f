import type { PathSegment } from '../../../src/base/json/field-path.ts';
import { isJsonObject } from '../../../src/base/json/json-value.ts';
import { marksOf } from '../../../src/base/json-schema/check-value.ts';
import {
  type JsonSchema,
  type SchemaField,
  shapeOf,
} from '../../../src/base/json-schema/json-schema.ts';
import {
  idsOf,
  type ProjectDocument,
  type ProjectRow,
  rowsOf,
  withValue,
} from './project-document.ts';

/** A table of the project format, as the service validates it. */
export interface TableSchema {
  readonly name: string;
  readonly description: string;
  readonly row: JsonSchema;
}

/** All objects that a schema allows, without unions. */
const objectForms = (schema: JsonSchema): readonly JsonSchema[] =>
  schema['x-variant'] !== undefined && schema.anyOf ? schema.anyOf.flatMap(objectForms) : [schema];

/** The object that a value is meant to be: the variant that its fields select, or the first. */
export const formFor = (schema: JsonSchema, value: unknown): JsonSchema => {
  const field = schema['x-variant'];
  if (field === undefined || !schema.anyOf) return schema;
  const mark = isJsonObject(value) ? value[field] : undefined;
  const form = schema.anyOf.find((each) => marksOf(each, field).includes(mark));
  return formFor(form ?? (schema.anyOf[0] as JsonSchema), value);
};

interface FormField extends SchemaField {
  /** Selects the variant of its object. */
  readonly isMark: boolean;
}

/** Marks of all variants that a field of a value can select. */
const marksAt = (schema: JsonSchema, name: string, value: unknown): readonly unknown[] => {
  const field = schema['x-variant'];
  if (field === undefined || !schema.anyOf) return [];
  if (field === name) return [...new Set(schema.anyOf.flatMap((each) => marksOf(each, field)))];
  const mark = isJsonObject(value) ? value[field] : undefined;
  const form = schema.anyOf.find((each) => marksOf(each, field).includes(mark));
  return form ? marksAt(form, name, value) : [];
};

export const fieldsFor = (schema: JsonSchema, value: unknown): readonly FormField[] => {
  const shape = shapeOf(formFor(schema, value));
  if (shape.kind !== 'object') return [];
  return shape.fields.map((field) => {
    const marks = marksAt(schema, field.name, value);
    const isMark = marks.length > 0;
    return { ...field, isMark, schema: isMark ? { ...field.schema, enum: marks } : field.schema };
  });
};

const merged = (one: JsonSchema | undefined, other: JsonSchema): JsonSchema =>
  one?.enum && other.enum
    ? { ...one, enum: [...new Set([...one.enum, ...other.enum])] }
    : (one ?? other);

/** Columns of a table: the fields of all kinds of rows, the comment last. */
export const columnsOf = (row: JsonSchema): readonly SchemaField[] => {
  const fields = new Map<string, JsonSchema>();
  for (const { properties = {} } of objectForms(row)) {
    for (const [name, schema] of Object.entries(properties)) {
      fields.set(name, merged(fields.get(name), schema));
    }
  }
  const comment = fields.get('comment');
  fields.delete('comment');
  if (comment) fields.set('comment', comment);
  return [...fields].map(([name, schema]) => ({ name, schema, isRequired: false }));
};

/** Whether a kind of row has the field. */
export const hasField = (row: JsonSchema, value: unknown, name: string): boolean =>
  formFor(row, value).properties?.[name] !== undefined;

/**
 * Sets a field of an object. If it selects another variant, fields that the variant does not have
 * are removed, and required ones are added.
 */
export const withField = (
  document: ProjectDocument,
  schema: JsonSchema,
  object: unknown,
  name: string,
  value: unknown,
): ProjectRow => {
  const changed = withValue(object, [name], value) as ProjectRow;
  if (value === undefined || marksAt(schema, name, object).length === 0) return changed;
  const { properties = {} } = formFor(schema, changed);
  const kept = Object.entries(changed).filter(([each]) => each in properties);
  return { ...startObject(schema, changed, document), ...Object.fromEntries(kept) };
};

type OnReference = (path: readonly PathSegment[], table: string, id: string) => void;

const visitReferences = (
  schema: JsonSchema,
  value: unknown,
  path: readonly PathSegment[],
  onReference: OnReference,
): void => {
  const table = schema['x-table'];
  if (table !== undefined) {
    if (typeof value === 'string') onReference(path, table, value);
    return;
  }
  if (schema.anyOf && schema['x-variant'] === undefined) {
    for (const branch of schema.anyOf) visitReferences(branch, value, path, onReference);
    return;
  }
  if (Array.isArray(value)) {
    value.forEach((item, at) => {
      visitReferences(schema.items ?? {}, item, [...path, at], onReference);
    });
    return;
  }
  if (!isJsonObject(value)) return;
  const { properties = {} } = formFor(schema, value);
  for (const [name, field] of Object.entries(properties)) {
    visitReferences(field, value[name], [...path, name], onReference);
  }
};

interface Reference {
  readonly table: string;
  readonly index: number;
  readonly path: readonly PathSegment[];
}

/** Places of a project that refer to a row. */
export const referencesTo = (
  document: ProjectDocument,
  tables: readonly TableSchema[],
  table: string,
  id: string,
): readonly Reference[] =>
  tables.flatMap(({ name, row }) =>
    rowsOf(document, name).flatMap((value, index) => {
      const found: Reference[] = [];
      visitReferences(row, value, [], (path, target, to) => {
        if (target === table && to === id) found.push({ table: name, index, path });
      });
      return found;
    }),
  );

/** Gives a row another ID, and changes every reference to it. */
export const withRenamedRow = (
  document: ProjectDocument,
  tables: readonly TableSchema[],
  table: string,
  index: number,
  id: string,
): ProjectDocument => {
  const rows = rowsOf(document, table);
  const old = (rows[index] as ProjectRow | undefined)?.id;
  const renamed = withValue(document, [table, index, 'id'], id) as ProjectDocument;
  const isShared = rows.filter((row) => isJsonObject(row) && row.id === old).length > 1;
  if (typeof old !== 'string' || old === '' || isShared) return renamed;
  return referencesTo(renamed, tables, table, old).reduce(
    (changed, reference) =>
      withValue(
        changed,
        [reference.table, reference.index, ...reference.path],
        id,
      ) as ProjectDocument,
    renamed,
  );
};

/** A value that a schema allows, as far as it says so. */
export const startValue = (schema: JsonSchema, document: ProjectDocument): unknown => {
  const table = schema['x-table'];
  if (table !== undefined) return idsOf(document, table)[0] ?? '';
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case 'choice':
      return shape.values[0];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'list':
      return schema.minItems ? [startValue(shape.items, document)] : [];
    case 'object':
    case 'union':
      return startObject(schema, undefined, document);
    default:
      return '';
  }
};

const startObject = (schema: JsonSchema, value: unknown, document: ProjectDocument): ProjectRow => {
  const form = formFor(schema, value);
  const names = (form.required ?? []).filter(
    (name) => form.properties?.[name]?.default === undefined,
  );
  return Object.fromEntries(
    names.map((name) => [name, startValue(form.properties?.[name] ?? {}, document)]),
  );
};

const freeId = (document: ProjectDocument, table: string, wanted: string): string => {
  const ids = new Set(idsOf(document, table));
  if (!ids.has(wanted)) return wanted;
  const stem = wanted.replace(/_\d+$/, '');
  for (let number = 2; ; number++) if (!ids.has(`${stem}_${number}`)) return `${stem}_${number}`;
};

/** A row with the fields that its table requires. */
export const newRow = (
  document: ProjectDocument,
  { name, row }: TableSchema,
  fields: ProjectRow = {},
): ProjectRow => ({
  ...startObject(row, fields, document),
  ...fields,
  id: freeId(document, name, `${name.replace(/s$/, '')}_1`),
});

export const copyOfRow = (
  document: ProjectDocument,
  table: string,
  row: ProjectRow,
): ProjectRow => ({ ...row, id: freeId(document, table, String(row.id ?? 'row')) });
