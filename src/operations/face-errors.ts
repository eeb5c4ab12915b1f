import { type ErrorCode, errorCodes } from '../base/errors/table.ts';
import { type HttpBinding, hasHttp, type Operation } from './define.ts';
import { parametersIn } from './http-parameters.ts';

/** Codes that any HTTP request can meet before its operation is reached. */
const httpAlways: readonly ErrorCode[] = [
  'invalid_argument',
  'unauthorized',
  'origin_not_allowed',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'response_too_large',
  'too_many_clients',
];

/** What a request with a body can meet on top. */
const httpWithBody: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** Everything an operation can answer over HTTP, in the order of the table. */
export const httpErrorsOf = (operation: Operation, binding: HttpBinding): readonly ErrorCode[] => {
  const body = parametersIn(operation, binding, 'body').length > 0 ? httpWithBody : [];
  return [...new Set([...httpAlways, ...body, ...operation.errors])];
};

/** Everything a command can end with. */
export const cliErrorsOf = (operation: Operation): readonly ErrorCode[] => {
  const { daemon } = operation.execution;
  const codes = new Set<ErrorCode>(['invalid_argument', ...operation.errors]);
  if (daemon !== 'none') codes.add('daemon_unreachable').add('version_mismatch');
  if (daemon === 'start') codes.add('daemon_start_failed');
  codes.add('internal_error').add('output_failed');
  return [...codes];
};

export const errorsOf = (operation: Operation): readonly ErrorCode[] => {
  const http = hasHttp(operation.http) ? httpErrorsOf(operation, operation.http) : [];
  const cli = operation.cli ? cliErrorsOf(operation) : [];
  return [...new Set([...cli, ...http])];
};

/** What only a request to no operation at all can meet. */
const unroutedErrors: readonly ErrorCode[] = ['route_not_found'];

/** Codes that something can end with now, in the order of the table; only these are published. */
export const publishedErrors = (operations: readonly Operation[]): readonly ErrorCode[] => {
  const reachable = new Set([...unroutedErrors, ...operations.flatMap(errorsOf)]);
  return errorCodes.filter((code) => reachable.has(code));
};
