import type { JsonSchema } from '../../state/bench.ts';
import { resolved, type Schemas } from './body-template.ts';

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

/** The kind of value that a schema describes. */
export const typeText = (reference: JsonSchema, schemas: Schemas): string => {
  const schema = resolved(reference, schemas);
  if (schema.enum) return 'choice';
  if (schema.anyOf) return schema.anyOf.map((branch) => typeText(branch, schemas)).join(' or ');
  if (schema.type === 'array' && schema.items) return `list of ${typeText(schema.items, schemas)}`;
  return schema.type ?? 'any';
};

/** What a schema allows, in the words a person would use. */
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
