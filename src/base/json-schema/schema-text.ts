import { type JsonSchema, resolveSchema, type Schemas, shapeOf } from './json-schema.ts';

const phrases: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
  map: 'an object',
};

export const typePhrase = (schema: JsonSchema): string => {
  const shape = shapeOf(schema);
  return shape.kind === 'choice' ? shape.values.join(' or ') : (phrases[shape.kind] ?? shape.kind);
};

/** Type of a value in one word, such as `integer`, `string[]` or `enum`. */
export const typeWord = (reference: JsonSchema, schemas: Schemas = {}): string => {
  const schema = resolveSchema(reference, schemas);
  const shape = shapeOf(schema);
  if (shape.kind === 'choice') return 'enum';
  if (shape.kind === 'union') {
    return shape.branches.map((branch) => typeWord(branch, schemas)).join(' or ');
  }
  if (shape.kind === 'list' && schema.items) return `${typeWord(shape.items, schemas)}[]`;
  return schema.type ?? 'any';
};

export const hexOr = (schema: JsonSchema, value: number): string =>
  schema['x-hex'] && value > 9 ? `0x${value.toString(16).toUpperCase()}` : String(value);

const range = (low: string | undefined, high: string | undefined): string => {
  if (low === undefined) return high === undefined ? '' : `at most ${high}`;
  return high === undefined ? `at least ${low}` : `${low} to ${high}`;
};

export const rangeText = (schema: JsonSchema): string =>
  range(
    ...([schema.minimum, schema.maximum].map((bound) =>
      bound === undefined ? undefined : hexOr(schema, bound),
    ) as [string?, string?]),
  );

const sizeText = (low: number | undefined, high: number | undefined, unit: string): string[] => {
  const text = range(low === undefined || low <= 1 ? undefined : `${low}`, high?.toString());
  return text === '' ? [] : [`${text} ${unit}`];
};

export const limitsOf = (schema: JsonSchema, code = (text: string) => text): string[] => {
  const { minLength, maxLength, minItems, maxItems, pattern, 'x-form': form } = schema;
  const shape = shapeOf(schema);
  const numbers = rangeText(schema);
  return [
    ...(shape.kind === 'choice' ? [shape.values.map(String).join(', ')] : []),
    ...(numbers === '' ? [] : [numbers]),
    ...sizeText(minLength, maxLength, 'characters'),
    ...sizeText(minItems, maxItems, 'items'),
    ...(form === undefined && pattern !== undefined ? [`matches ${code(pattern)}`] : []),
    ...(form === undefined ? [] : [form]),
  ];
};
