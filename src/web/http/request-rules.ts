import type { IncomingMessage } from 'node:http';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { limits } from '../../operations/limits.ts';

/** Says so where the origin form would begin with the path: `http://host/path` (RFC 9112, 3.2.2). */
const absoluteTarget = /^https?:\/\/([^/?#]*)/i;

/** A request target as a path, where it comes with a scheme and a host in front. */
export const originForm = (target: string): string => {
  const rest = target.replace(absoluteTarget, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
};

const countHeaders = (request: IncomingMessage, name: string): number =>
  request.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;

/** Refuses a request that does not say, or says in two ways, which host it is for. */
export const checkHost = (request: IncomingMessage, target: string): void => {
  const hosts = countHeaders(request, 'host');
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    throw new BusbarError('invalid_argument', { message: 'The request must name one host' });
  }
  const authority = absoluteTarget.exec(target)?.[1];
  if (authority !== undefined && authority.toLowerCase() !== request.headers.host?.toLowerCase()) {
    throw new BusbarError('invalid_argument', {
      message: 'The target and the Host header name different hosts',
    });
  }
};

const declaredLength = (request: IncomingMessage): number =>
  Number(request.headers['content-length'] ?? 0);

/** Refuses from the headers alone what a body cannot be, before any of it is read. */
export const checkBody = (request: IncomingMessage): void => {
  if (declaredLength(request) > limits.requestBodyBytes) {
    throw new BusbarError('payload_too_large', { details: { limit: limits.requestBodyBytes } });
  }
  const chunked = request.headers['transfer-encoding'] !== undefined;
  const hasBody = chunked || declaredLength(request) > 0;
  if (hasBody && (request.method === 'GET' || request.method === 'HEAD')) {
    throw invalidArgument('', 'This request takes no body');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (hasBody && encoding.toLowerCase() !== 'identity') {
    throw new BusbarError('unsupported_media_type', {
      message: 'Request bodies must not be compressed',
    });
  }
};

/** Refuses an upgrade with a body: behind an Upgrade header Node does not read it. */
export const checkNoBody = ({ headers }: IncomingMessage): void => {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (length === undefined && encoding === undefined) return;
  throw new BusbarError('invalid_argument', {
    message: 'A request with a body cannot ask for an upgrade',
  });
};

/** Whether an Upgrade header asks for a WebSocket; anything else it asks for may be ignored. */
export const wantsWebSocket = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket';
