import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { parseJson } from '../base/json/parse-json.ts';
import { type TextSchema, valueOfText } from './text-arguments.ts';

/** JSON Schema of a parameter, as needed by the command line. */
export interface OptionSchema extends TextSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly 'x-form'?: string;
  /** Alternatives; typed input is a text. */
  readonly anyOf?: readonly OptionSchema[];
  /** A path for which - means standard input. */
  readonly 'x-stdin'?: boolean;
  /** Fields of an object. */
  readonly properties?: Readonly<Record<string, OptionSchema>>;
  readonly required?: readonly string[];
  /** Values of an object with free keys. */
  readonly patternProperties?: Readonly<Record<string, OptionSchema>>;
}

/** Names of a value: for programs, and as typed. */
export interface OptionName {
  readonly field: string;
  readonly shown: string;
}

const insideOf = (name: OptionName, path: string): OptionName => ({
  field: `${name.field}.${path}`,
  shown: `${path} of ${name.shown}`,
});

const refuse = (name: OptionName, problem: string, details = {}): BusbarError =>
  invalidArgument(name.field, `${name.shown} ${problem}`, details);

const checkEnum = (schema: OptionSchema, name: OptionName, value: unknown): void => {
  const allowed = schema.enum;
  if (!allowed || allowed.includes(value as string)) return;
  throw refuse(name, `must be one of ${allowed.join(', ')}`, { allowed });
};

/** Rejected here, before a daemon is started; local commands are checked nowhere else. */
const checkRange = (schema: OptionSchema, name: OptionName, value: unknown): void => {
  if (typeof value === 'number') {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    const shown = (bound: number): string =>
      schema['x-hex'] ? `${bound} (0x${bound.toString(16).toUpperCase()})` : String(bound);
    if (value < minimum) throw refuse(name, `must be at least ${shown(minimum)}`);
    if (value > maximum) throw refuse(name, `must be at most ${shown(maximum)}`);
  }
  if (typeof value !== 'string') return;
  const { maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (value.length > maxLength) throw refuse(name, `must be at most ${maxLength} characters long`);
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return;
  throw refuse(name, `must be ${schema['x-form'] ?? `of the form ${pattern}`}`);
};

const fieldOf = (owner: OptionSchema, key: string, name: OptionName): OptionSchema => {
  const { properties = {} } = owner;
  const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (schema) return schema;
  const known = Object.keys(properties);
  const hint = known.length > 0 ? `; known fields: ${known.join(', ')}` : '';
  throw refuse(name, `is not a known field${hint}`, { reason: 'unknown_field' });
};

const checkComplete = (schema: OptionSchema, name: OptionName, value: object, path = ''): void => {
  const missing = schema.required?.find((key) => !Object.hasOwn(value, key));
  if (missing) throw refuse(insideOf(name, path + missing), 'is required', { reason: 'missing' });
  for (const [key, inner] of Object.entries(value)) {
    const field = schema.properties?.[key];
    if (field?.properties) checkComplete(field, name, inner as object, `${path}${key}.`);
  }
};

/** Parses `key=value` pairs separated by commas; dots select nested fields. */
export const fieldsOfText = (
  schema: OptionSchema,
  name: OptionName,
  text: string,
): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const entry of text.split(',')) {
    if (entry === '') throw refuse(name, 'has an extra comma');
    const [spelt = '', ...rest] = entry.split('=');
    // Accepts hyphens, as in options.
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
  checkComplete(schema, name, fields);
  return fields;
};

/** Value schema of an object with free keys, or undefined. */
const valuesOf = (schema: OptionSchema): OptionSchema | undefined =>
  Object.values(schema.patternProperties ?? {})[0];

/** Parses `key=value` pairs with free keys. */
const entriesOfText = (values: OptionSchema, name: OptionName, text: string): unknown => {
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

const kindsOfJson: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
};

const checkJson = (schema: OptionSchema, name: OptionName, value: unknown, path = ''): void => {
  const place = path === '' ? name : insideOf(name, path);
  const values = valuesOf(schema);
  if (schema.properties || values) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw refuse(place, 'must be an object');
    }
    for (const [key, inner] of Object.entries(value)) {
      const deeper = path === '' ? key : `${path}.${key}`;
      checkJson(values ?? fieldOf(schema, key, insideOf(name, deeper)), name, inner, deeper);
    }
    return;
  }
  checkEnum(schema, place, value);
  const isOfKind = kindsOfJson[schema.type ?? ''];
  if (isOfKind && !isOfKind(value)) {
    throw refuse(place, `must be ${schema.type === 'integer' ? 'an' : 'a'} ${schema.type}`);
  }
  checkRange(schema, place, value);
};

const fieldsOfJson = (schema: OptionSchema, name: OptionName, text: string): unknown => {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (thrown) {
    throw refuse(name, `is not valid JSON: ${BusbarError.from(thrown).message}`);
  }
  checkJson(schema, name, value);
  checkComplete(schema, name, value as object);
  return value;
};

/** Parses an option or argument against its declaration. */
export const valueOfOption = (schema: OptionSchema, name: OptionName, text: string): unknown => {
  if (text === '' && !schema.enum) throw refuse(name, 'must not be empty');
  const values = valuesOf(schema);
  if (schema.properties || values) {
    if (text.startsWith('{')) return fieldsOfJson(schema, name, text);
    return values ? entriesOfText(values, name, text) : fieldsOfText(schema, name, text);
  }
  const kind = schema.anyOf?.find(({ type }) => type === 'string');
  if (kind) return valueOfOption(kind, name, text);
  checkEnum(schema, name, text);
  const value = valueOfText(schema, name.field, text, name.shown);
  checkRange(schema, name, value);
  return value;
};
