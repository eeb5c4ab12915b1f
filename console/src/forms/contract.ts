import { endpoints, type OperationId } from '../api/client.ts';
import type { JsonSchema, OpenApiDocument } from '../state/bench.ts';

/** What is wrong about a value, and where in it. */
export interface Problem {
  /** Empty for the value as a whole. */
  readonly field: string;
  readonly message: string;
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

type Fields = Readonly<Record<string, unknown>>;

const refStart = '#/components/schemas/';

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'empty',
  array: 'a list',
  object: 'an object',
};

const nameOfType = (schema: JsonSchema): string => {
  if (schema['x-hex']) return 'an integer, such as 0x123 or 291';
  return typeNames[schema.type ?? ''] ?? 'of another type';
};

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const shownNumber = (schema: JsonSchema, value: number): string =>
  schema['x-hex'] && value > 9 ? `0x${value.toString(16).toUpperCase()}` : String(value);

const needsQuotes = /[\s.[\]"\\]/;

/** A place in a request as the service writes it in its refusals: `a.b[2]`, or `a["b.c"]`. */
const fieldIn = (parent: string, key: string | number): string => {
  if (typeof key === 'number') return `${parent}[${key}]`;
  if (key === '' || needsQuotes.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
};

/** Checks values against the JSON Schemas of an OpenAPI document, and says what is wrong where. */
class Check {
  readonly problems: Problem[] = [];
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  value(schema: JsonSchema, value: unknown, field: string): void {
    if (schema.$ref !== undefined) {
      const target = this.#schemas[schema.$ref.slice(refStart.length)];
      if (target && schema.$ref.startsWith(refStart)) this.value(target, value, field);
      // A field without a schema allows anything.
      return;
    }
    const test = typeTests[schema.type ?? ''];
    if (test && !test(value)) this.#refuse(field, `Must be ${nameOfType(schema)}`);
    else if (schema.enum && !schema.enum.includes(value)) {
      this.#refuse(field, `Must be one of ${schema.enum.join(', ')}`);
    } else this.#content(schema, value, field);
  }

  #content(schema: JsonSchema, value: unknown, field: string): void {
    if (schema.anyOf) this.#anyOf(schema.anyOf, value, field);
    if (typeof value === 'number') this.#number(schema, value, field);
    else if (typeof value === 'string') this.#text(schema, value, field);
    else if (Array.isArray(value)) this.#list(schema, value, field);
    else if (isObject(value)) this.#object(schema, value, field);
  }

  #refuse(field: string, message: string): void {
    this.problems.push({ field, message });
  }

  #anyOf(branches: readonly JsonSchema[], value: unknown, field: string): void {
    const refusals: (readonly Problem[])[] = [];
    for (const branch of branches) {
      const check = new Check(this.#schemas);
      check.value(branch, value, field);
      if (check.problems.length === 0) return;
      refusals.push(check.problems);
    }
    const near = refusals.filter((_, at) => {
      const test = typeTests[branches[at]?.type ?? ''];
      return branches[at]?.$ref === undefined && (!test || test(value));
    });
    if (near[0]) this.problems.push(...near[0]);
    else this.#refuse(field, `Must be ${branches.map(nameOfType).join(' or ')}`);
  }

  #number(schema: JsonSchema, value: number, field: string): void {
    const { minimum, maximum } = schema;
    if (minimum !== undefined && value < minimum) {
      this.#refuse(field, `Must be at least ${shownNumber(schema, minimum)}`);
    }
    if (maximum !== undefined && value > maximum) {
      this.#refuse(field, `Must be at most ${shownNumber(schema, maximum)}`);
    }
  }

  #text(schema: JsonSchema, value: string, field: string): void {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
    const length = [...value].length;
    if (length === 0 && minLength > 0) {
      this.#refuse(field, 'Must not be empty');
      return;
    }
    if (length < minLength) {
      this.#refuse(field, `Must have at least ${counted(minLength, 'character')}`);
    }
    if (length > maxLength)
      this.#refuse(field, `Must have at most ${counted(maxLength, 'character')}`);
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
      this.#refuse(
        field,
        schema['x-form'] ? `Must be ${schema['x-form']}` : `Must match ${pattern}`,
      );
    }
  }

  #list(schema: JsonSchema, value: readonly unknown[], field: string): void {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (value.length < minItems)
      this.#refuse(field, `Must have at least ${counted(minItems, 'item')}`);
    if (value.length > maxItems)
      this.#refuse(field, `Must have at most ${counted(maxItems, 'item')}`);
    if (!items) return;
    for (const [at, item] of value.entries()) this.value(items, item, fieldIn(field, at));
  }

  #object(schema: JsonSchema, value: Fields, field: string): void {
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
    const given = Object.keys(value).filter((key) => value[key] !== undefined);
    for (const key of schema.required ?? []) {
      if (!given.includes(key)) this.#refuse(fieldIn(field, key), 'Required');
    }
    if (given.length < minProperties)
      this.#refuse(field, `Must have at least ${counted(minProperties, 'field')}`);
    if (given.length > maxProperties)
      this.#refuse(field, `Must have at most ${counted(maxProperties, 'field')}`);
    for (const key of given) this.#property(schema, key, value[key], fieldIn(field, key));
  }

  #property(schema: JsonSchema, key: string, value: unknown, field: string): void {
    const { properties = {}, patternProperties = {}, additionalProperties = true } = schema;
    const own = Object.hasOwn(properties, key) ? [properties[key]] : [];
    const matching = Object.entries(patternProperties)
      .filter(([pattern]) => new RegExp(pattern, 'u').test(key))
      .map(([, described]) => described);
    const described = [...own, ...matching].filter((one) => one !== undefined);
    for (const one of described) this.value(one, value, field);
    if (described.length > 0) return;
    if (additionalProperties === false) this.#refuse(field, 'Unknown field');
    else if (additionalProperties !== true) this.value(additionalProperties, value, field);
  }
}

/**
 * Everything about a value that its schema does not allow; nothing if it fits. Fields that are
 * undefined count as left out, as they are when the value is sent.
 */
export const schemaProblems = (
  schema: JsonSchema,
  value: unknown,
  schemas: Schemas = {},
): readonly Problem[] => {
  const check = new Check(schemas);
  check.value(schema, value, '');
  return check.problems;
};

/** The published schema of a request body, empty for an operation without one; null if unknown. */
export const bodySchema = (document: OpenApiDocument, id: OperationId): JsonSchema | null => {
  const { path, method } = endpoints[id];
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) return null;
  return operation.requestBody?.content['application/json']?.schema ?? {};
};

/** What the published contract has against a request, before it is made. */
export const requestProblems = (
  document: OpenApiDocument,
  id: OperationId,
  body: unknown,
): readonly Problem[] => {
  const schema = bodySchema(document, id);
  if (!schema) return [{ field: '', message: 'This service does not support the operation' }];
  return schemaProblems(schema, body, document.components.schemas);
};

const resolved = (document: OpenApiDocument, schema: JsonSchema): JsonSchema => {
  const name = schema.$ref?.split('/').at(-1);
  return (name === undefined ? undefined : document.components.schemas[name]) ?? schema;
};

/** Whether a body needs the field, named as `source.id`, for the group that it belongs to. */
export const isRequired = (
  document: OpenApiDocument | null,
  id: OperationId,
  field: string,
): boolean => {
  const names = field.split('.');
  const name = names.pop() ?? '';
  const body = document && bodySchema(document, id);
  const group = names.length > 0 ? fieldSchema(document, id, names.join('.')) : body;
  return Boolean(document && group && resolved(document, group).required?.includes(name));
};

/** What the contract says about one field of a body, named as `source.id`. */
export const fieldSchema = (
  document: OpenApiDocument | null,
  id: OperationId,
  field: string,
): JsonSchema | null => {
  let schema = document && bodySchema(document, id);
  for (const key of field.split('.')) {
    if (!document || !schema) return null;
    schema = resolved(document, schema).properties?.[key] ?? null;
  }
  return schema;
};
