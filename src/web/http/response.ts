import { type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { YieldQueue } from '../../base/clock/yield-queue.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { FileDownload } from '../../base/files/file-download.ts';
import { JsonText } from '../../base/json/json-text.ts';
import { SlicedJson } from '../../base/json/sliced-json.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { ScratchPool } from '../../base/scratch-pool.ts';
import type { HttpBinding } from '../../operations/define.ts';
import { limits } from '../../operations/limits.ts';
import { sendFile } from './file-response.ts';

export type Headers = Readonly<Record<string, string>>;

/**
 * The console runs only its own files. Inline styles are allowed because plots set their size
 * that way; inline scripts are not.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const securityHeaders: Headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

export interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const headersOf = (error: BusbarError): Headers => {
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

const closeTimeoutMs = 1000;

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

interface SlicingOptions {
  readonly turns: YieldQueue;
  readonly scratch: ScratchPool;
}

/**
 * Sends a body slice by slice. The next slice is written after the system has accepted the
 * previous one, so a client that does not read holds one slice, not the page.
 */
export const sendSlices = (
  response: ServerResponse,
  json: SlicedJson,
  { turns, scratch: pool }: SlicingOptions,
): void => {
  const writeNext = (): void => {
    if (response.destroyed) return;
    const scratch = pool.take();
    const length = json.writeInto(scratch);
    if (length === 0) {
      pool.free(scratch);
      response.end();
      return;
    }
    response.write(scratch.bytes.subarray(0, length), (error) => {
      if (error) return;
      pool.free(scratch);
      turns.take(writeNext);
    });
  };
  const prepare = (): void => {
    if (response.destroyed) return;
    if (json.prepare()) writeNext();
    else turns.take(prepare);
  };
  if (response.destroyed) json.close();
  else response.once('close', () => json.close());
  turns.take(prepare);
};

const bytesOf = (result: unknown, { mediaType }: HttpBinding): Uint8Array => {
  if (result instanceof JsonText) return result.bytes;
  return Buffer.from(mediaType === undefined ? stringifyJson(result) : String(result));
};

export const sendResult = (
  response: ServerResponse,
  binding: HttpBinding,
  result: unknown,
  headers: Headers,
  slicing: SlicingOptions,
): void => {
  const all = {
    ...headers,
    'content-type': binding.mediaType ?? 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  if (result instanceof FileDownload) {
    sendFile(response, result, binding.success, all);
    return;
  }
  if (result instanceof SlicedJson) {
    response.writeHead(binding.success, all);
    sendSlices(response, result, slicing);
    return;
  }
  const bytes = bytesOf(result, binding);
  if (bytes.length > limits.responseBytes) {
    throw new BusbarError('response_too_large', { details: { limit: limits.responseBytes } });
  }
  response.writeHead(binding.success, { ...all, 'content-length': bytes.length }).end(bytes);
};
