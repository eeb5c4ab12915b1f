import type { Static } from 'typebox';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errorTable } from '../../base/errors/table.ts';
import type { JsonSchema } from '../../base/json-schema/json-schema.ts';
import { typeWord } from '../../base/json-schema/schema-text.ts';
import { hasHttp, type Operation } from '../define.ts';
import { errorsOf, facesOf } from '../face-errors.ts';
import { isCliOnly, placeOf } from '../http-parameters.ts';
import type { OperationDescription } from '../operation.ts';
import { plainSchema } from './plain-schema.ts';
import { cliNotation, isRequired, usageOf } from './usage.ts';

export type Description = Static<typeof OperationDescription>;

const describeParameter = (
  operation: Operation,
  name: string,
): Description['parameters'][number] => {
  const schema = operation.parameters.properties[name] as JsonSchema;
  return {
    name,
    type: typeWord(schema),
    required: isRequired(operation, name),
    description: schema.description ?? '',
    schema: plainSchema(schema),
    cli: cliNotation(operation, name),
    http:
      hasHttp(operation.http) && !isCliOnly(operation, name) ? placeOf(operation.http, name) : null,
  };
};

const describeHttp = (http: Operation['http']): Description['http'] =>
  hasHttp(http)
    ? { available: true, method: http.method, path: http.path, reason: null }
    : { available: false, method: null, path: null, reason: http.none };

export const describeOperation = (operation: Operation): Description => {
  const usage = usageOf(operation);
  return {
    id: operation.id,
    category: operation.category,
    action: operation.action,
    summary: operation.summary,
    description: operation.description ?? null,
    permission: operation.permission,
    execution: { ...operation.execution },
    cli: usage === null ? null : { usage, examples: [...operation.examples] },
    http: describeHttp(operation.http),
    parameters: Object.keys(operation.parameters.properties).map((name) =>
      describeParameter(operation, name),
    ),
    result: plainSchema(operation.result),
    errors: errorsOf(operation).map((code) => {
      const { status, exit, message, retryable } = errorTable[code];
      return { code, status, exit, message, retryable, faces: facesOf(operation, code) };
    }),
  };
};

export const describeCommands = (operations: readonly Operation[]): readonly Description[] =>
  operations.filter(({ cli }) => cli !== null).map(describeOperation);

export const describeNamed = (
  operations: readonly Operation[],
  operationId: string,
): Description => {
  const operation = operations.find(({ id }) => id === operationId);
  if (operation) return describeOperation(operation);
  throw new BusbarError('operation_not_found', {
    message: `Unknown operation: ${operationId}`,
    details: { operation_id: operationId },
  });
};
