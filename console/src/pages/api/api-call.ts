import type { ApiError } from '../../api/api-error.ts';
import { refusalIn, request } from '../../api/client.ts';
import { prettyJson } from '../../format/json-text.ts';
import type { ReadyRequest } from './request-draft.ts';

/** Sending a batch of frames can take a minute. */
const limitMs = 90_000;
export const maxShown = 200 * 1024;

export interface ApiAnswer {
  readonly status: number;
  readonly reason: string;
  readonly requestId: string | null;
  readonly elapsedMs: number;
  readonly size: number;
  readonly shown: string;
  readonly isCut: boolean;
  readonly text: string;
  readonly error: ApiError | null;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const shownText = (text: string): { readonly shown: string; readonly isCut: boolean } => {
  const pretty = parsed(text) === undefined ? text : prettyJson(text);
  return { shown: pretty.slice(0, maxShown), isCut: pretty.length > maxShown };
};

export const sendRequest = async (
  { method, path, body }: ReadyRequest,
  stop: AbortSignal,
): Promise<ApiAnswer> => {
  const begunMs = performance.now();
  const parts = { method, ...(body === undefined ? {} : { json: body }), signal: stop, limitMs };
  return request(path, parts, async (response) => {
    const text = await response.text();
    return {
      status: response.status,
      reason: response.statusText,
      requestId: response.headers.get('x-request-id'),
      elapsedMs: performance.now() - begunMs,
      size: new TextEncoder().encode(text).length,
      ...shownText(text),
      text,
      error: response.ok ? null : refusalIn(response.status, text),
    };
  });
};
