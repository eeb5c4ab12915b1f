import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import { parseJsonBytes } from '../../base/json/parse-json-bytes.ts';
import { salvageFields } from '../../base/json/salvage-fields.ts';
import type { JsonSchema } from '../../base/json-schema/json-schema.ts';
import { defaultsOf } from '../../operations/defaults.ts';
import type { HttpBinding, Operation } from '../../operations/define.ts';
import { parametersIn } from '../../operations/http-parameters.ts';
import { withKeptArguments } from '../../operations/kept-arguments.ts';
import { limits } from '../../operations/limits.ts';
import { valueOfText } from '../../operations/text-arguments.ts';
import { checkArguments } from '../../operations/validate.ts';

/** A target in absolute form, `http://host/path` (RFC 9112, 3.2.2). */
const absoluteTarget = /^https?:\/\/([^/?#]*)/i;

export const originForm = ({ url = '' }: Pick<IncomingMessage, 'url'>): string => {
  const rest = url.replace(absoluteTarget, '');
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`;
};

export const pathnameOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
};

export const checkHost = (request: IncomingMessage): void => {
  const { rawHeaders, headers, httpVersion, url = '' } = request;
  const hosts = rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === 'host',
  ).length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new BusbarError('invalid_argument', {
      message: 'The request must name exactly one host',
    });
  }
  const authority = absoluteTarget.exec(url)?.[1];
  if (authority !== undefined && authority.toLowerCase() !== headers.host?.toLowerCase()) {
    throw new BusbarError('invalid_argument', {
      message: 'The request target and the Host header name different hosts',
    });
  }
};

export const checkBody = ({ headers, method }: IncomingMessage): void => {
  const length = Number(headers['content-length'] ?? 0);
  if (length > limits.requestBodyBytes) {
    throw new BusbarError('payload_too_large', { details: { limit: limits.requestBodyBytes } });
  }
  const hasBody = headers['transfer-encoding'] !== undefined || length > 0;
  if (hasBody && (method === 'GET' || method === 'HEAD')) {
    throw invalidArgument('', 'This request must not have a body');
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (hasBody && encoding.toLowerCase() !== 'identity') {
    throw new BusbarError('unsupported_media_type', {
      message: 'Request bodies must not be compressed',
    });
  }
};

export const checkNoBody = ({ headers }: IncomingMessage): void => {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (length === undefined && encoding === undefined) return;
  throw new BusbarError('invalid_argument', {
    message: 'A request with a body cannot request an upgrade',
  });
};

const firstBytes = 1024;

/** Reads a body into one buffer: single-byte chunks would each cost several hundred bytes. */
export const readBodyBytes = (body: Readable, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    let length = 0;
    const makeRoom = (needed: number): void => {
      if (needed <= bytes.length) return;
      const grown = Buffer.alloc(Math.min(limit, Math.max(needed, 2 * bytes.length, firstBytes)));
      bytes.copy(grown, 0, 0, length);
      bytes = grown;
    };
    const take = (piece: Buffer): void => {
      if (length + piece.length > limit) {
        body.off('data', take);
        reject(new BusbarError('payload_too_large', { details: { limit } }));
        return;
      }
      makeRoom(length + piece.length);
      length += piece.copy(bytes, length);
    };
    body.on('data', take);
    body.once('end', () => resolve(bytes.subarray(0, length)));
    body.once('error', (cause) =>
      reject(new BusbarError('invalid_argument', { message: 'The request was cut off', cause })),
    );
  });

const token = "[\\w!#$%&'*+.^`|~-]+";
const mediaType = new RegExp(`^${token}/${token}\\s*(?:;|$)`);
const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const readLeniently = (bytes: Uint8Array, kept: readonly string[]): unknown => {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return salvageFields(text, kept);
  }
};

export const parseBody = (
  contentType: string | undefined,
  bytes: Uint8Array,
  kept: readonly string[] = [],
): unknown => {
  if (contentType === undefined && bytes.length === 0) return undefined;
  if (contentType === undefined || !jsonType.test(contentType)) {
    throw new BusbarError('unsupported_media_type');
  }
  try {
    return parseJsonBytes(bytes, { maxDepth: limits.jsonDepth });
  } catch (thrown) {
    throw kept.length > 0 ? withKeptArguments(kept, readLeniently(bytes, kept), thrown) : thrown;
  }
};

export const readBody = async (
  request: IncomingMessage,
  kept: readonly string[] | undefined,
  onBroken: () => void,
): Promise<unknown> => {
  const { method, headers } = request;
  const type = headers['content-type'];
  if (method === 'GET' || method === 'HEAD') return undefined;
  const isEmpty =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (type === undefined && isEmpty) return undefined;
  if (type !== undefined && !mediaType.test(type)) throw new BusbarError('unsupported_media_type');
  try {
    return parseBody(type, await readBodyBytes(request, limits.requestBodyBytes), kept);
  } catch (thrown) {
    onBroken();
    throw thrown;
  }
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidArgument('query', 'The query has invalid percent-encoding', { reason: 'syntax' });
  }
};

export const queryFields = (target: string): [name: string, value: string][] => {
  const start = target.indexOf('?');
  if (start === -1) return [];
  return target
    .slice(start + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      if (equals === -1) return [decode(part), ''];
      return [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
};

interface Incoming {
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const schemaOf = (operation: Operation, name: string): JsonSchema =>
  operation.parameters.properties[name] as JsonSchema;

const fromQuery = (
  operation: Operation,
  binding: HttpBinding,
  target: string,
): Record<string, unknown> => {
  const known = parametersIn(operation, binding, 'query');
  const values: Record<string, unknown> = {};
  for (const [name, text] of queryFields(target)) {
    if (!known.includes(name)) {
      throw invalidArgument(name, `${name} is not a known query parameter`, {
        reason: 'unknown_field',
      });
    }
    const schema = schemaOf(operation, name);
    if (schema.type === 'array') {
      values[name] ??= [];
      (values[name] as unknown[]).push(valueOfText(schema.items ?? {}, name, text));
      continue;
    }
    if (Object.hasOwn(values, name)) {
      throw invalidArgument(name, `${name} is given more than once`, { reason: 'duplicate_key' });
    }
    values[name] = valueOfText(schema, name, text);
  }
  return values;
};

const fromBody = (operation: Operation, binding: HttpBinding, body: unknown): object => {
  if (body === undefined) return {};
  // Many clients cannot send a POST without a body, so an empty object is accepted.
  if (binding.method !== 'POST' && parametersIn(operation, binding, 'body').length === 0) {
    throw invalidArgument('', 'This request must not have a body');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidArgument('', 'The body must be a JSON object', { reason: 'type' });
  }
  const inPath = parametersIn(operation, binding, 'path').find((name) => Object.hasOwn(body, name));
  if (inPath !== undefined) {
    throw invalidArgument(inPath, `${inPath} must be in the path`, { reason: 'unknown_field' });
  }
  return body;
};

const fromPath = (operation: Operation, params: Incoming['params']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, text]) => [
      name,
      valueOfText(schemaOf(operation, name), name, text),
    ]),
  );

export const argumentsOf = (
  operation: Operation,
  binding: HttpBinding,
  incoming: Incoming,
): object => ({
  ...fromQuery(operation, binding, incoming.target),
  ...fromBody(operation, binding, incoming.body),
  ...fromPath(operation, incoming.params),
});

export const streamQuery = (
  operation: Operation,
  binding: HttpBinding,
  target: string,
  params: Incoming['params'],
): object => {
  const values = argumentsOf(operation, binding, { target, params, body: undefined });
  checkArguments(operation, values, 'http');
  return { ...defaultsOf(operation.parameters), ...values };
};
