import { rememberedToken } from '../storage/remembered.ts';
import { ApiError } from './api-error.ts';
import { type ErrorEnvelope, endpoints, type Operations } from './schema.ts';

/** How long an answer may take where the caller does not say. */
const defaultLimitMs = 5000;

/** What may take longer than this needs a slot, so that enough connections are left. */
const longMs = 15_000;

/** Gives slots to requests that may take long. The page sets it; workers make no such requests. */
export const longRequests: { takeSlot: () => Promise<() => void> } = {
  takeSlot: async () => () => {},
};

export type OperationId = keyof Operations;
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text of a body. */
  readonly json?: string;
  /** How long the answer may take; what only a signal ends may take for ever. */
  readonly limitMs?: number;
  /** It is made whatever else is under way: what ends something must not wait for a slot. */
  readonly isUrgent?: boolean;
  readonly signal?: AbortSignal;
  /** In place of the token of the page: a worker that serves many pages has none of its own. */
  readonly token?: string | null;
}

const limitOf = ({ limitMs, signal }: Pick<RequestParts, 'limitMs' | 'signal'>): number =>
  limitMs ?? (signal ? Number.POSITIVE_INFINITY : defaultLimitMs);

const signalOf = (parts: RequestParts): AbortSignal | undefined => {
  const limitMs = limitOf(parts);
  if (!Number.isFinite(limitMs)) return parts.signal;
  const limit = AbortSignal.timeout(limitMs);
  return parts.signal ? AbortSignal.any([parts.signal, limit]) : limit;
};

const silence = (thrown: unknown, parts: RequestParts): ApiError =>
  (thrown as Error).name === 'TimeoutError'
    ? new ApiError({
        code: 'no_answer',
        message: `No answer within ${Number((limitOf(parts) / 1000).toFixed(1))} s`,
      })
    : new ApiError({ code: 'unreachable', message: `Nothing answers at ${location.host}` });

const notBusbar = ({ status }: Response): ApiError =>
  new ApiError({ code: 'not_busbar', message: `Something else answered, with status ${status}` });

/** The answer to a request, whatever it says. Throws an ApiError if there is none. */
export const exchange = async (path: string, parts: RequestParts): Promise<Response> => {
  if (parts.isUrgent || (parts.limitMs ?? 0) <= longMs) return ask(path, parts);
  const release = await longRequests.takeSlot();
  try {
    return await ask(path, parts);
  } finally {
    release();
  }
};

const ask = async (path: string, parts: RequestParts): Promise<Response> => {
  const { method = 'GET', headers, json, token = rememberedToken.get() } = parts;
  const signal = signalOf(parts);
  try {
    return await fetch(path, {
      method,
      headers: {
        ...headers,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: json }),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      ...(signal ? { signal } : {}),
    });
  } catch (thrown) {
    throw silence(thrown, parts);
  }
};

/** An answer can still end half-way, or be no JSON at all. */
const readJson = async (response: Response, parts: RequestParts): Promise<unknown> => {
  try {
    return await response.json();
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw silence(thrown, parts);
    throw notBusbar(response);
  }
};

/** All of an answer as text. Throws an ApiError if it ends half-way. */
export const readText = async (response: Response, parts: RequestParts = {}): Promise<string> => {
  try {
    return await response.text();
  } catch (thrown) {
    throw silence(thrown, parts);
  }
};

/** What the service has against a request, from the body of its answer; null where that is no error. */
export const refusalIn = (answer: unknown): ApiError | null => {
  const body = answer as Partial<ErrorEnvelope> | null | undefined;
  if (typeof body?.error?.code !== 'string') return null;
  return new ApiError({ ...body.error, requestId: body.request_id ?? null });
};

const refusal = async (response: Response, parts: RequestParts): Promise<ApiError> =>
  refusalIn(await readJson(response, parts)) ?? notBusbar(response);

/** Any request to the service. Throws an ApiError and nothing else. */
export const request = async (path: string, parts: RequestParts = {}): Promise<Response> => {
  const response = await exchange(path, parts);
  if (!response.ok) throw await refusal(response, parts);
  return response;
};

export interface CallOptions<Id extends OperationId> {
  /** What stands in braces in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<
    Record<string, string | number | readonly (string | number)[] | undefined>
  >;
  readonly body?: Operations[Id]['body'];
  readonly limitMs?: number;
  readonly isUrgent?: boolean;
  /** Ends the request, and what the service does for it. */
  readonly signal?: AbortSignal;
  /** In place of the token of the page. */
  readonly token?: string | null;
}

/** The path of an operation with its parameters in place. */
export const pathOf = <Id extends OperationId>(
  id: Id,
  { params = {}, query = {} }: Pick<CallOptions<Id>, 'params' | 'query'> = {},
): string => {
  const path = endpoints[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  return search.size === 0 ? path : `${path}?${search}`;
};

/** Carries out an operation of the API. Throws an ApiError and nothing else. */
export const call = async <Id extends OperationId>(
  id: Id,
  options: CallOptions<Id> = {},
): Promise<Answer<Id>> => {
  const { body, limitMs, isUrgent = false, signal, token } = options;
  const parts = {
    method: endpoints[id].method,
    ...(body === undefined ? {} : { json: JSON.stringify(body) }),
    ...(limitMs === undefined ? {} : { limitMs }),
    isUrgent,
    ...(signal === undefined ? {} : { signal }),
    ...(token === undefined ? {} : { token }),
  };
  const response = await request(pathOf(id, options), parts);
  return (await readJson(response, parts)) as Answer<Id>;
};

/** What the service tells at a path. Workers ask so: the table of all operations is not for them. */
export const read = async <Id extends OperationId>(
  path: string,
  token?: string | null,
): Promise<Answer<Id>> => {
  const parts = token === undefined ? {} : { token };
  return (await readJson(await request(path, parts), parts)) as Answer<Id>;
};

const connectionLost = (): ApiError =>
  new ApiError({ code: 'connection_lost', message: 'The connection broke' });

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  } catch {
    throw connectionLost();
  }
}

/**
 * Opens an endless text and answers its pieces as they come, until the signal ends it. Opening and
 * reading throw an ApiError and nothing else.
 */
export const openText = async (
  path: string,
  parts: Pick<RequestParts, 'headers' | 'token'> & { readonly signal: AbortSignal },
): Promise<AsyncGenerator<string>> => {
  const { body } = await request(path, parts);
  if (!body) throw connectionLost();
  return piecesOf(body);
};
