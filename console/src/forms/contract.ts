import { endpoints, type OperationId } from '../api/client.ts';
import type { JsonSchema, OpenApiDocument } from '../state/bench.ts';
import { type Problem, schemaProblems } from './schema-problems.ts';

/** The schema that the running service publishes for the body of an operation. */
export const bodySchema = (document: OpenApiDocument, id: OperationId): JsonSchema | null => {
  const { path, method } = endpoints[id];
  const operation = document.paths[path]?.[method.toLowerCase()];
  return operation?.requestBody?.content['application/json']?.schema ?? null;
};

/** What the published contract has against a request, before it is made. */
export const requestProblems = (
  document: OpenApiDocument,
  id: OperationId,
  body: unknown,
): readonly Problem[] => {
  const schema = bodySchema(document, id);
  if (!schema) return [{ field: '', message: 'This service does not offer it' }];
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
