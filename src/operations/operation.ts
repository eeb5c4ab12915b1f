import { Type } from 'typebox';
import { ErrorCodeSchema } from '../base/errors/error-schema.ts';
import { named, nullable } from '../base/schema/schemas.ts';
import { defineOperation } from './define.ts';

const ParameterDescription = named(
  'OperationParameter',
  Type.Object({
    name: Type.String(),
    type: Type.String({ examples: ['string', 'integer', 'boolean'] }),
    required: Type.Boolean(),
    description: Type.String(),
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema with ranges, default and examples',
    }),
    cli: nullable(Type.String(), { description: 'How the CLI accepts it' }),
    http: nullable(Type.Enum(['path', 'query', 'body']), {
      description: 'Where the HTTP API accepts it',
    }),
  }),
);

export const OperationDescription = named(
  'Operation',
  Type.Object({
    id: Type.String(),
    category: Type.String(),
    action: Type.String(),
    summary: Type.String(),
    description: nullable(Type.String()),
    permission: Type.Enum(['observe', 'operate', 'administer']),
    execution: Type.Object({
      place: Type.Enum(['cli', 'client', 'bench'], {
        description:
          'Process or thread that runs the command; HTTP calls of operations that the CLI runs itself are handled by the client thread',
      }),
      daemon: Type.Enum(['none', 'optional', 'required', 'start'], {
        description: 'Whether it requires or starts a daemon',
      }),
      streaming: Type.Boolean(),
    }),
    cli: nullable(Type.Object({ usage: Type.String(), examples: Type.Array(Type.String()) })),
    http: Type.Object({
      available: Type.Boolean({ description: 'Whether a typed HTTP handler exists' }),
      method: nullable(Type.String()),
      path: nullable(Type.String()),
      reason: nullable(Type.String(), { description: 'Why there is no HTTP handler' }),
    }),
    parameters: Type.Array(ParameterDescription),
    result: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema' }),
    errors: Type.Array(
      Type.Object({
        code: ErrorCodeSchema,
        status: Type.Integer(),
        exit: Type.Integer(),
        message: Type.String(),
        retryable: Type.Boolean(),
        faces: Type.Array(Type.Enum(['cli', 'http']), {
          description: 'Interfaces that can return this error: command line, HTTP',
        }),
      }),
    ),
  }),
);

export const operationList = defineOperation({
  id: 'operation.list',
  summary: 'List every command with its policy, parameters and HTTP binding',
  result: named('OperationList', Type.Object({ operations: Type.Array(OperationDescription) })),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: {
    words: ['operation', 'list'],
    columns: ['id', 'permission', 'http.method', 'http.path', 'summary'],
  },
  http: { method: 'GET', path: '/api/v1/operations', success: 200 },
});

export const operationShow = defineOperation({
  id: 'operation.show',
  summary: 'Show the contract of an operation',
  parameters: {
    operation_id: Type.String({
      description: 'Operation ID',
      minLength: 1,
      maxLength: 128,
      examples: ['web.start'],
    }),
  },
  result: OperationDescription,
  errors: ['operation_not_found'],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: { words: ['operation', 'show'], positionals: ['operation_id'] },
  http: { method: 'GET', path: '/api/v1/operations/{operation_id}', success: 200 },
});
