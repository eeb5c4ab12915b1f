import { problemsOf, type Rule } from '../../../src/base/json-schema/check-value.ts';
import {
  type JsonSchema,
  resolveSchema,
  type Schemas,
} from '../../../src/base/json-schema/json-schema.ts';
import { endpoints, type OperationId } from '../api/client.ts';
import type { OpenApiDocument } from '../state/bench.ts';

export interface Problem {
  readonly field: string;
  readonly message: string;
}

const shortMessages: Partial<Record<Rule, string>> = {
  missing: 'Required',
  unknown_field: 'Unknown field',
};

export const schemaProblems = (
  schema: JsonSchema,
  value: unknown,
  schemas: Schemas = {},
): readonly Problem[] =>
  problemsOf(schema, value, schemas).map(({ field, rule, message, schema: broken }) => ({
    field,
    message:
      shortMessages[rule] ??
      `${message.charAt(0).toUpperCase()}${message.slice(1)}${
        rule === 'type' && broken['x-hex'] ? ', such as 0x123 or 291' : ''
      }`,
  }));

/** Published schema of a request body: empty for an operation without one, null if unknown. */
export const bodySchema = (document: OpenApiDocument, id: OperationId): JsonSchema | null => {
  const { path, method } = endpoints[id];
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) return null;
  return operation.requestBody?.content['application/json']?.schema ?? {};
};

export const requestProblems = (
  document: OpenApiDocument,
  id: OperationId,
  body: unknown,
): readonly Problem[] => {
  const schema = bodySchema(document, id);
  if (!schema) return [{ field: '', message: 'This service does not support the operation' }];
  return schemaProblems(schema, body, document.components.schemas);
};

/** Returns whether a body requires the field, such as `source.id`, within its group. */
export const isRequired = (
  document: OpenApiDocument | null,
  id: OperationId,
  field: string,
): boolean => {
  const names = field.split('.');
  const name = names.pop() ?? '';
  const body = document && bodySchema(document, id);
  const group = names.length > 0 ? fieldSchema(document, id, names.join('.')) : body;
  return Boolean(
    document && group && resolveSchema(group, document.components.schemas).required?.includes(name),
  );
};

export const fieldSchema = (
  document: OpenApiDocument | null,
  id: OperationId,
  field: string,
): JsonSchema | null => {
  let schema = document && bodySchema(document, id);
  for (const key of field.split('.')) {
    if (!document || !schema) return null;
    schema = resolveSchema(schema, document.components.schemas).properties?.[key] ?? null;
  }
  return schema;
};
