import { BusbarError, errorOf, RequestTimeout } from '../../../clients/typescript/src/errors.ts';
import { jsonOf, send, succeeded, textOf } from '../../../clients/typescript/src/http.ts';
import { requestOf } from '../../../clients/typescript/src/operation-request.ts';
import type { Operations } from '../../../clients/typescript/src/schema.ts';
import { rememberedToken } from '../storage/remembered.ts';
import { ApiError } from './api-error.ts';

export type * from '../../../clients/typescript/src/schema.ts';
export { endpoints } from '../../../clients/typescript/src/schema.ts';
export { succeeded, textOf };

const defaultLimitMs = 5000;

/** A request with a longer timeout needs a slot, so that enough connections stay free. */
const longMs = 15_000;

/** Assigns slots for long requests. Set by the page; workers send no such requests. */
export const longRequests: { takeSlot: () => Promise<() => void> } = {
  takeSlot: async () => () => {},
};

export type OperationId = keyof Operations;
export type Answer<Id extends OperationId> = Operations[Id]['answer'];
export type Input<Id extends OperationId> = Operations[Id]['input'];

export type CallArguments<Id extends OperationId> =
  Record<never, never> extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions];

export interface CallOptions {
  /** Timeout for the whole response. Default: 5 s, or none with a signal. */
  readonly limitMs?: number;
  /** Needs no slot: a request that stops something must not wait. */
  readonly isUrgent?: boolean;
  readonly signal?: AbortSignal;
  /** Replaces the page token: a worker serves many pages and has no token. */
  readonly token?: string | null;
}

interface RequestParts extends CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: string | undefined;
}

const shownError = (thrown: unknown, limitMs: number): ApiError => {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof RequestTimeout || (thrown as Error)?.name === 'TimeoutError') {
    const message = `No answer within ${Number((limitMs / 1000).toFixed(1))} s`;
    return new ApiError({ code: 'no_answer', message });
  }
  if (thrown instanceof BusbarError && thrown.code !== 'unreachable') {
    return new ApiError({ ...thrown, message: thrown.reason });
  }
  const status = thrown instanceof BusbarError ? thrown.status : null;
  return status === null
    ? new ApiError({ code: 'unreachable', message: `Cannot reach ${location.host}` })
    : new ApiError({
        code: 'not_busbar',
        message: `The server at this address is not Busbar (HTTP status ${status})`,
      });
};

const init = { cache: 'no-store', credentials: 'omit', redirect: 'error' } as const;

export const request = async <Result>(
  path: string,
  parts: RequestParts,
  read: (response: Response) => Promise<Result>,
): Promise<Result> => {
  const { method = 'GET', headers = {}, json, signal, token = rememberedToken.get() } = parts;
  const limitMs = parts.limitMs ?? (signal ? Number.POSITIVE_INFINITY : defaultLimitMs);
  const needsSlot = !parts.isUrgent && (parts.limitMs ?? 0) > longMs;
  const release = needsSlot ? await longRequests.takeSlot() : null;
  try {
    const sent = { method, headers, json, token, timeoutMs: limitMs, signal, init };
    return await send(path, sent, read);
  } catch (thrown) {
    throw shownError(thrown, limitMs);
  } finally {
    release?.();
  }
};

export const refusalIn = (status: number, body: string): ApiError | null => {
  const error = errorOf(status, body);
  return error.code === 'unreachable' ? null : shownError(error, 0);
};

export const pathOf = <Id extends OperationId>(id: Id, input: Input<Id>): string =>
  requestOf(id, input).target;

export const call = async <Id extends OperationId>(
  id: Id,
  ...[input, options]: CallArguments<Id>
): Promise<Answer<Id>> => {
  const { target, ...parts } = requestOf(id, input ?? {});
  return (await request(target, { ...parts, ...options }, jsonOf)) as Answer<Id>;
};

/** Reads a path. Used by workers, which do not load the operations table. */
export const read = async <Id extends OperationId>(
  path: string,
  token?: string | null,
): Promise<Answer<Id>> =>
  (await request(path, token === undefined ? {} : { token }, jsonOf)) as Answer<Id>;

const connectionLost = (): ApiError =>
  new ApiError({ code: 'connection_lost', message: 'The connection was lost' });

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  } catch {
    throw connectionLost();
  }
}

/**
 * Opens an endless response and yields its chunks until the signal aborts. Throws only ApiError.
 */
export const openText = async (
  path: string,
  parts: Pick<RequestParts, 'headers' | 'token'> & { readonly signal: AbortSignal },
): Promise<AsyncGenerator<string>> => {
  const { body } = await request(path, parts, succeeded);
  if (!body) throw connectionLost();
  return piecesOf(body);
};
