import { Type } from 'typebox';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { named, nullable } from '../base/schema/schemas.ts';
import { defineOperation } from './define.ts';

export const versionFields = {
  product: Type.String({ examples: ['Busbar'] }),
  version: Type.String({ description: 'Version of this build' }),
  commit: nullable(Type.String({ pattern: '^[0-9a-f]{40}(-dirty)?$' }), {
    description: 'Git commit of the sources, with -dirty if they were modified; null if unknown',
  }),
  committed_at_us: nullable(Type.Integer(), {
    description: 'Unix time of that commit in microseconds',
  }),
  contract: Type.String({ description: 'Release of the API contract that it implements' }),
  api: Type.String({ description: 'Version of the HTTP API', examples: ['v1'] }),
};

const VersionRecord = named('Version', Type.Object(versionFields));

export const version = defineOperation({
  id: 'version',
  summary: 'Show version',
  result: VersionRecord,
  errors: [],
  permission: 'observe',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['version'] },
  http: { none: 'Available through POST /api/v1/execute' },
});

export const execute = defineOperation({
  id: 'execute',
  summary: 'Run the version operation',
  description:
    'Accepts a single operation name, never a command line. All other operations have their own resources.',
  parameters: {
    operation: Type.String({
      description: 'Name of the operation; only version is accepted',
      minLength: 1,
      maxLength: 256,
      examples: ['version'],
    }),
  },
  result: VersionRecord,
  errors: ['operation_not_allowed'],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: null,
  http: {
    method: 'POST',
    path: '/api/v1/execute',
    success: 200,
    bodyExamples: { short: { operation: 'version' }, full: { operation: 'version' } },
  },
});

/** Rejects any operation except `version`. */
export const checkExecutable = (operation: string): void => {
  if (operation === version.id) return;
  throw new BusbarError('operation_not_allowed', { details: { field: 'operation', operation } });
};
