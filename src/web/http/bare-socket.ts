import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { errorResponse, type PlainResponse } from './error-response.ts';
import type { RequestMetrics } from './request-metrics.ts';
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
export const answerBareSocket = (
  socket: Duplex,
  response: PlainResponse,
  onAnswered: () => void = () => {},
): void => {
  if (!socket.writable) {
    socket.destroy();
    onAnswered();
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
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${response.body}`, onAnswered);
};

interface RequestReports {
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  readonly metrics: RequestMetrics;
}

/** A request as far as its line could be read; `-` stands for what could not. */
interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** The path template that matched; null where none did. */
  readonly pattern: string | null;
}

/** Logs and counts a request that the framework does not see: an upgrade, a tunnel, broken HTTP. */
export class BareRequest {
  readonly id = randomUUID();
  readonly #reports: RequestReports;
  readonly #line: RequestLine;
  readonly #startedUs: number;

  constructor(reports: RequestReports, line: RequestLine) {
    this.#reports = reports;
    this.#line = line;
    this.#startedUs = reports.clock.monotonicUs();
    if (line.method === '-') return;
    reports.diagnostics.route({ ...line, hit: line.pattern !== null, requestId: this.id });
  }

  refuse(socket: Duplex, error: BusbarError): void {
    this.#reports.diagnostics.errorDetail({ code: error.code, requestId: this.id });
    answerBareSocket(socket, errorResponse(error, this.id), () => this.completed(error.row.status));
  }

  completed(status: number): void {
    const { clock, diagnostics, metrics } = this.#reports;
    const { method, path, pattern } = this.#line;
    const durationUs = clock.monotonicUs() - this.#startedUs;
    metrics.completed(method, pattern, status, durationUs);
    diagnostics.request({ method, path, status, durationUs, requestId: this.id });
  }
}
