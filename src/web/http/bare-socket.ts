import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { PlainResponse } from './error-response.ts';
import { securityHeaders } from './security-headers.ts';

/** The error for a failure of Node's HTTP parser; null where the client has left. */
export const errorOfParser = (code: string | undefined): BusbarError | null => {
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return null;
    case 'HPE_HEADER_OVERFLOW':
      return new BusbarError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new BusbarError('request_timeout');
    default:
      return new BusbarError('invalid_argument', { message: 'The request is not valid HTTP/1.1' });
  }
};

/** How long a client may take to read its last answer. */
const closeTimeoutMs = 1000;

/** Answers on a socket that no framework speaks for, and hangs up. */
export const answerBareSocket = (socket: Duplex, response: PlainResponse): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  if (socket instanceof Socket) socket.setTimeout(closeTimeoutMs, () => socket.destroy());
  const headers = {
    ...securityHeaders,
    ...response.headers,
    'content-length': String(Buffer.byteLength(response.body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`;
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${response.body}`);
};
