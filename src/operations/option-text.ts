import { BusbarError, type ErrorDetails, invalidArgument } from '../base/errors/busbar-error.ts';
import { parseJson } from '../base/json/parse-json.ts';
import { compileCheck, type Rule } from '../base/json-schema/check-value.ts';
import { type JsonSchema, shapeOf } from '../base/json-schema/json-schema.ts';
import { valueOfText } from './text-arguments.ts';

export interface OptionName {
  readonly field: string;
  readonly shown: string;
}

const insideOf = (name: OptionName, path: string): OptionName => ({
  field: `${name.field}.${path}`,
  shown: `${path} of ${name.shown}`,
});

const refuse = (name: OptionName, problem: string, details: ErrorDetails = {}): BusbarError =>
  invalidArgument(name.field, `${name.shown} ${problem}`, details);

const unknownField = ({ properties = {} }: JsonSchema, name: OptionName): BusbarError => {
  const known = Object.keys(properties);
  const hint = known.length > 0 ? `; known fields: ${known.join(', ')}` : '';
  return refuse(name, `is not a known field${hint}`, { reason: 'unknown_field' });
};

const detailsOf = (rule: Rule, { enum: allowed }: JsonSchema): ErrorDetails => {
  if (rule === 'missing') return { reason: 'missing' };
  return rule === 'enum' ? { allowed } : {};
};

/** Checked before a daemon is started. Local commands are checked nowhere else. */
const checked = (schema: JsonSchema, name: OptionName, value: unknown): unknown => {
  compileCheck(schema)(value, [], (at, rule, message, broken) => {
    const place = at.length === 0 ? name : insideOf(name, at.join('.'));
    if (rule === 'unknown_field') throw unknownField(broken, place);
    throw refuse(place, message, detailsOf(rule, broken));
  });
  return value;
};

const fieldOf = (owner: JsonSchema, key: string, name: OptionName): JsonSchema => {
  const { properties = {} } = owner;
  const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (schema) return schema;
  throw unknownField(owner, name);
};

/** Parses `key=value` pairs separated by commas. Dots select nested fields. */
export const fieldsOfText = (
  schema: JsonSchema,
  name: OptionName,
  text: string,
): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const entry of text.split(',')) {
    if (entry === '') throw refuse(name, 'has an extra comma');
    const [spelt = '', ...rest] = entry.split('=');
    const path = spelt.replaceAll('-', '_');
    const place = insideOf(name, path);
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let owner = schema;
    let target = fields;
    for (const key of keys) {
      owner = fieldOf(owner, key, place);
      target[key] ??= {};
      target = target[key] as Record<string, unknown>;
    }
    const leaf = fieldOf(owner, last, place);
    if (leaf.properties) {
      const [example] = Object.keys(leaf.properties);
      throw refuse(place, `has fields: use ${path}.${example}`);
    }
    if (Object.hasOwn(target, last)) throw refuse(place, 'is given more than once');
    const isBare = rest.length === 0;
    if (isBare && leaf.type !== 'boolean') throw refuse(place, 'needs a value');
    target[last] = isBare || valueOfOption(leaf, place, rest.join('='));
  }
  checked(schema, name, fields);
  return fields;
};

const entriesOfText = (values: JsonSchema, name: OptionName, text: string): unknown => {
  const entries = new Map<string, unknown>();
  for (const entry of text.split(',')) {
    const [key = '', ...rest] = entry.split('=');
    if (key === '' || rest.length === 0) throw refuse(name, 'must be <key>=<value>,…');
    const place = insideOf(name, key);
    if (entries.has(key)) throw refuse(place, 'is given more than once');
    entries.set(key, valueOfOption(values, place, rest.join('=')));
  }
  return Object.fromEntries(entries);
};

const valueOfJson = (schema: JsonSchema, name: OptionName, text: string): unknown => {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (thrown) {
    throw refuse(name, `is not valid JSON: ${BusbarError.from(thrown).message}`);
  }
  return checked(schema, name, value);
};

export const valueOfOption = (schema: JsonSchema, name: OptionName, text: string): unknown => {
  const shape = shapeOf(schema);
  if (text === '' && shape.kind !== 'choice') throw refuse(name, 'must not be empty');
  if (shape.kind === 'object' || shape.kind === 'map') {
    if (text.startsWith('{')) return valueOfJson(schema, name, text);
    return shape.kind === 'map'
      ? entriesOfText(shape.values, name, text)
      : fieldsOfText(schema, name, text);
  }
  const branches = shape.kind === 'union' ? shape.branches : [];
  if (text.startsWith('{') && branches.some(({ type }) => type === 'object')) {
    return valueOfJson(schema, name, text);
  }
  const asText = branches.find(({ type }) => type === 'string');
  if (asText) return valueOfOption(asText, name, text);
  return checked(schema, name, valueOfText(schema, name.field, text, name.shown));
};
