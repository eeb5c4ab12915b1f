import { type ErrorCode, errorCodes } from '../base/errors/table.ts';
import { type HttpBinding, hasHttp, type Operation } from './define.ts';
import { pathParameters } from './http-parameters.ts';

const httpAlways: readonly ErrorCode[] = [
  'invalid_argument',
  'unauthorized',
  'origin_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'response_too_large',
  'too_many_clients',
  // A plugin can block the whole bench thread.
  'instance_unresponsive',
];

const httpWithBody: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

const longPath: readonly ErrorCode[] = ['endpoint_not_found'];

const unroutedErrors: readonly ErrorCode[] = ['endpoint_not_found', 'method_not_allowed'];

export const httpErrorsOf = (operation: Operation, binding: HttpBinding): readonly ErrorCode[] => {
  const body = binding.method === 'GET' ? [] : httpWithBody;
  const path = pathParameters(binding.path).length > 0 ? longPath : [];
  const found = new Set([...httpAlways, ...body, ...path, ...operation.errors]);
  return errorCodes.filter((code) => found.has(code));
};

export const cliErrorsOf = (operation: Operation): readonly ErrorCode[] => {
  const { daemon } = operation.execution;
  const { errors, cliErrors = [] } = operation;
  const codes = new Set<ErrorCode>(['invalid_argument', ...errors, ...cliErrors]);
  if (daemon !== 'none')
    codes.add('daemon_unreachable').add('version_mismatch').add('instance_unresponsive');
  if (daemon === 'start') codes.add('daemon_start_failed');
  codes.add('internal_error').add('output_failed');
  return [...codes];
};

export const errorsOf = (operation: Operation): readonly ErrorCode[] => {
  const http = hasHttp(operation.http) ? httpErrorsOf(operation, operation.http) : [];
  const cli = operation.cli ? cliErrorsOf(operation) : [];
  return [...new Set([...cli, ...http])];
};

/** Interfaces on which an operation can fail with a code. */
export const facesOf = (operation: Operation, code: ErrorCode): ('cli' | 'http')[] => {
  const { cli, http } = operation;
  const inCli = cli !== null && cliErrorsOf(operation).includes(code);
  const overHttp = hasHttp(http) && httpErrorsOf(operation, http).includes(code);
  return [...(inCli ? (['cli'] as const) : []), ...(overHttp ? (['http'] as const) : [])];
};

const jobErrorsOf = ({ jobErrors = [] }: Operation): readonly ErrorCode[] => jobErrors;

export const publishedErrors = (operations: readonly Operation[]): readonly ErrorCode[] => {
  const reachable = new Set([
    ...unroutedErrors,
    ...operations.flatMap(errorsOf),
    ...operations.flatMap(jobErrorsOf),
  ]);
  return errorCodes.filter((code) => reachable.has(code));
};
