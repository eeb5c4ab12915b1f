import { type ErrorCode, errorCodes } from '../base/errors/table.ts';
import { type HttpBinding, hasHttp, type Operation } from './define.ts';
import { pathParameters } from './http-parameters.ts';

/** Codes that any HTTP request can meet before its operation is reached. */
const httpAlways: readonly ErrorCode[] = [
  'invalid_argument',
  'unauthorized',
  'origin_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'response_too_large',
  'too_many_clients',
  // A plugin of any instance holds up everything on the bench.
  'instance_unresponsive',
];

/** What a request that may carry a body can meet on top, whether one is taken or not. */
const httpWithBody: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** What a request whose path is too long for any operation can meet. */
const longPath: readonly ErrorCode[] = ['endpoint_not_found'];

/** What a request to no operation at all can meet. */
const unroutedErrors: readonly ErrorCode[] = ['endpoint_not_found', 'method_not_allowed'];

/** Everything an operation can answer over HTTP, in the order of the table. */
export const httpErrorsOf = (operation: Operation, binding: HttpBinding): readonly ErrorCode[] => {
  const body = binding.method === 'GET' ? [] : httpWithBody;
  const path = pathParameters(binding.path).length > 0 ? longPath : [];
  const found = new Set([...httpAlways, ...body, ...path, ...operation.errors]);
  return errorCodes.filter((code) => found.has(code));
};

/** Everything a command can end with. */
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

/** Where an operation can end with a code. */
export const facesOf = (operation: Operation, code: ErrorCode): ('cli' | 'http')[] => {
  const { cli, http } = operation;
  const inCli = cli !== null && cliErrorsOf(operation).includes(code);
  const overHttp = hasHttp(http) && httpErrorsOf(operation, http).includes(code);
  return [...(inCli ? (['cli'] as const) : []), ...(overHttp ? (['http'] as const) : [])];
};

/** Codes that only the record of a job can have. */
const jobErrorsOf = ({ jobErrors = [] }: Operation): readonly ErrorCode[] => jobErrors;

/** Codes that something can end with now, in the order of the table; only these are published. */
export const publishedErrors = (operations: readonly Operation[]): readonly ErrorCode[] => {
  const reachable = new Set([
    ...unroutedErrors,
    ...operations.flatMap(errorsOf),
    ...operations.flatMap(jobErrorsOf),
  ]);
  return errorCodes.filter((code) => reachable.has(code));
};
