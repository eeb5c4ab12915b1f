import {
  type JsonSchema,
  resolveSchema,
  type Schemas,
  shapeOf,
} from '../../../../src/base/json-schema/json-schema.ts';
import { limitsOf } from '../../../../src/base/json-schema/schema-text.ts';

export const allowedText = (reference: JsonSchema, schemas: Schemas): string => {
  const schema = resolveSchema(reference, schemas);
  const { default: standard } = schema;
  const shown = typeof standard === 'string' ? standard : JSON.stringify(standard);
  return [...limitsOf(schema), ...(standard === undefined ? [] : [`default ${shown}`])].join('; ');
};

const maxDepth = 6;

const plainValues: Readonly<Record<string, unknown>> = { string: '', boolean: false, map: {} };

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
  const schema = resolveSchema(reference, walk.schemas);
  const shape = shapeOf(schema);
  if (schema.examples && schema.examples.length > 0) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (shape.kind === 'choice') return shape.values[0];
  if (depth >= maxDepth) return null;
  switch (shape.kind) {
    case 'union':
      return templateValue(shape.branches[0] ?? {}, walk, depth);
    case 'object':
      return objectOf(schema, walk, depth);
    case 'list':
      return schema.minItems ? [templateValue(shape.items, walk, depth + 1)] : [];
    case 'integer':
    case 'number':
      return Math.max(0, schema.minimum ?? 0);
    default:
      return plainValues[shape.kind] ?? null;
  }
};

export const schemaValue = (schema: JsonSchema, schemas: Schemas, extent: Extent): unknown =>
  templateValue(schema, { schemas, extent }, 0);

export interface TemplateBody {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/**
 * Initial body: the example that the service publishes, otherwise one generated from the
 * schema, which can combine fields that exclude each other.
 */
export const templateText = (body: TemplateBody, schemas: Schemas, extent: Extent): string => {
  const published = body.examples?.[extent];
  const value = published ? published.value : schemaValue(body.schema, schemas, extent);
  return JSON.stringify(value, null, 2);
};

export const firstExtent = ({ schema, examples }: TemplateBody, schemas: Schemas): Extent =>
  examples?.short || (resolveSchema(schema, schemas).required ?? []).length > 0 ? 'short' : 'full';
