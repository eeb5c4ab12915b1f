import type { ApiError } from '../../api/api-error.ts';
import { refusalIn, request } from '../../api/client.ts';
import { prettyJson } from '../../format/json-text.ts';
import type { ReadyRequest } from './request-draft.ts';

/** Longer than any request may take: a batch of frames can last a minute. */
const limitMs = 90_000;
/** As much of an answer as a page can show without stumbling. */
export const mostShown = 200 * 1024;

/** What a request brought, whatever it says. */
export interface ApiAnswer {
  readonly status: number;
  readonly reason: string;
  readonly requestId: string | null;
  readonly elapsedMs: number;
  readonly size: number;
  /** Pretty where it is JSON, and no more than can be shown. */
  readonly shown: string;
  readonly isCut: boolean;
  /** As it came. */
  readonly text: string;
  /** What the service has against the request. */
  readonly error: ApiError | null;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** How an answer is shown: JSON in its usual layout, and cut where it is too long. */
export const shownText = (text: string): { readonly shown: string; readonly isCut: boolean } => {
  const pretty = parsed(text) === undefined ? text : prettyJson(text);
  return { shown: pretty.slice(0, mostShown), isCut: pretty.length > mostShown };
};

/** Makes a request and waits for all of its answer. Throws an ApiError if there is none. */
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
