import type { BusbarError } from '../../base/errors/busbar-error.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';

/** A complete response as data, for the framework or for a bare socket. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const headersOf = (error: BusbarError): Record<string, string> => {
  const { allow } = error.details;
  switch (error.code) {
    case 'unauthorized':
      return { 'www-authenticate': 'Bearer' };
    case 'method_not_allowed':
      return Array.isArray(allow) ? { allow: allow.join(', ') } : {};
    case 'too_many_clients':
      return { 'retry-after': '1' };
    default:
      return {};
  }
};

/** The common envelope around an error. */
export const errorResponse = (error: BusbarError, requestId: string): PlainResponse => ({
  status: error.row.status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...headersOf(error),
  },
  body: stringifyJson({ error: error.toRecord(), request_id: requestId }),
});
