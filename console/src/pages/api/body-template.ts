import type { JsonSchema } from '../../state/bench.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** Schemas that hold themselves would go on for ever. */
const deepest = 6;

export const resolved = (schema: JsonSchema, schemas: Schemas): JsonSchema => {
  const target =
    schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1) ?? ''];
  return target ?? schema;
};

const plainValues: Readonly<Record<string, unknown>> = {
  string: '',
  boolean: false,
  array: [],
  object: {},
  null: null,
};

/** Which fields a template has: those that must be there, or all of them. */
export type Extent = 'required' | 'all';

interface Walk {
  readonly schemas: Schemas;
  readonly extent: Extent;
}

/** The names of an object's fields, the required ones first. */
export const fieldNames = ({ properties = {}, required = [] }: JsonSchema): readonly string[] => {
  const names = Object.keys(properties);
  return [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ];
};

const objectOf = (schema: JsonSchema, walk: Walk, depth: number): Record<string, unknown> => {
  const { properties = {}, required = [] } = schema;
  const wanted = fieldNames(schema).filter(
    (name) => walk.extent === 'all' || required.includes(name),
  );
  return Object.fromEntries(
    wanted.map((name) => [name, templateValue(properties[name] ?? {}, walk, depth + 1)]),
  );
};

const templateValue = (reference: JsonSchema, walk: Walk, depth: number): unknown => {
  const schema = resolved(reference, walk.schemas);
  if (schema.examples && schema.examples.length > 0) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (depth >= deepest) return null;
  const [branch] = schema.anyOf ?? [];
  if (branch) return templateValue(branch, walk, depth);
  if (schema.properties) return objectOf(schema, walk, depth);
  if (schema.type === 'array' && schema.items && (schema.minItems ?? 0) > 0) {
    return [templateValue(schema.items, walk, depth + 1)];
  }
  if (schema.type === 'integer' || schema.type === 'number')
    return Math.max(0, schema.minimum ?? 0);
  return plainValues[schema.type ?? ''] ?? null;
};

/** A value to begin with: the examples and defaults of the schema, required fields first. */
export const templateOf = (schema: JsonSchema, schemas: Schemas, extent: Extent): unknown =>
  templateValue(schema, { schemas, extent }, 0);

/** The extent that a request begins with: what it needs, or everything if it needs nothing. */
export const firstExtent = (schema: JsonSchema, schemas: Schemas): Extent =>
  (resolved(schema, schemas).required ?? []).length > 0 ? 'required' : 'all';

export const templateText = (schema: JsonSchema, schemas: Schemas, extent: Extent): string =>
  JSON.stringify(templateOf(schema, schemas, extent), null, 2);
