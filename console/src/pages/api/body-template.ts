import type { JsonSchema } from '../../state/bench.ts';

const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const shownNumber = (schema: JsonSchema, value: number): string =>
  schema['x-hex'] && value > 9 ? `0x${value.toString(16).toUpperCase()}` : String(value);

const bounds = (low: string | undefined, high: string | undefined, unit: string): string[] => {
  if (low === undefined) return high === undefined ? [] : [`at most ${high}${unit}`];
  return [high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`];
};

const numberText = (schema: JsonSchema, value: number | undefined): string | undefined =>
  value === undefined ? undefined : shownNumber(schema, value);

export const typeText = (reference: JsonSchema, schemas: Schemas): string => {
  const schema = resolved(reference, schemas);
  if (schema.enum) return 'choice';
  if (schema.anyOf) return schema.anyOf.map((branch) => typeText(branch, schemas)).join(' or ');
  if (schema.type === 'array' && schema.items) return `list of ${typeText(schema.items, schemas)}`;
  return schema.type ?? 'any';
};

/** The values that a schema allows, in words. */
export const allowedText = (reference: JsonSchema, schemas: Schemas): string => {
  const schema = resolved(reference, schemas);
  const length = [schema.minLength, schema.maxLength].map((each) => each?.toString());
  const items = [schema.minItems, schema.maxItems].map((each) => each?.toString());
  return [
    ...(schema.enum ? [schema.enum.map(written).join(', ')] : []),
    ...bounds(numberText(schema, schema.minimum), numberText(schema, schema.maximum), ''),
    ...bounds(length[0], length[1], ' characters'),
    ...bounds(items[0], items[1], ' items'),
    ...(schema['x-form']
      ? [schema['x-form']]
      : schema.pattern
        ? [`matches ${schema.pattern}`]
        : []),
    ...(schema.default === undefined ? [] : [`default ${written(schema.default)}`]),
  ].join('; ');
};

export type Schemas = Readonly<Record<string, JsonSchema>>;

const maxDepth = 6;

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

/** Required fields only, or all fields. */
export type Extent = 'short' | 'full';

interface Walk {
  readonly schemas: Schemas;
  readonly extent: Extent;
}

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
    (name) => walk.extent === 'full' || required.includes(name),
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
  if (depth >= maxDepth) return null;
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

export const schemaValue = (schema: JsonSchema, schemas: Schemas, extent: Extent): unknown =>
  templateValue(schema, { schemas, extent }, 0);

export interface TemplateBody {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/**
 * An initial body: the example that the service publishes, or else one made from the schema, which
 * may combine fields that exclude each other.
 */
export const templateText = (body: TemplateBody, schemas: Schemas, extent: Extent): string => {
  const published = body.examples?.[extent];
  const value = published ? published.value : schemaValue(body.schema, schemas, extent);
  return JSON.stringify(value, null, 2);
};

/** The initial extent: required fields, or all fields if none is required. */
export const firstExtent = ({ schema, examples }: TemplateBody, schemas: Schemas): Extent =>
  examples?.short || (resolved(schema, schemas).required ?? []).length > 0 ? 'short' : 'full';
