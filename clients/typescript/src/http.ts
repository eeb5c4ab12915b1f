import { BusbarError, errorOf, notBusbar, RequestTimeout, Unreachable } from './errors.ts';

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: string | undefined;
  readonly token?: string | null;
  /** Time limit of the whole response; Infinity if only the signal ends the request. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly init?: RequestInit;
}

/**
 * Sends a request and reads its response within the time limit. Throws a BusbarError, or the
 * reason of the caller's signal.
 */
export const send = async <Result>(
  url: string,
  { method = 'GET', headers, json, token = null, timeoutMs, signal, init }: HttpRequest,
  read: (response: Response) => Promise<Result>,
): Promise<Result> => {
  const limit = Number.isFinite(timeoutMs) ? AbortSignal.timeout(timeoutMs) : undefined;
  const signals = [signal, limit].filter((each) => each !== undefined);
  try {
    const response = await fetch(url, {
      ...init,
      method,
      headers: {
        ...headers,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: json }),
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
    });
    return await read(response);
  } catch (error) {
    if (error instanceof BusbarError) throw error;
    if (signal?.aborted) throw signal.reason;
    if (limit?.aborted) throw new RequestTimeout(`${method} ${url} was not answered`);
    throw new Unreachable(`${url} cannot be reached: ${error}`);
  }
};

export const succeeded = async (response: Response): Promise<Response> => {
  if (!response.ok) throw errorOf(response.status, await response.text());
  return response;
};

export const textOf = async (response: Response): Promise<string> =>
  (await succeeded(response)).text();

export const bytesOf = async (response: Response): Promise<Uint8Array> =>
  new Uint8Array(await (await succeeded(response)).arrayBuffer());

export const jsonOf = async (response: Response): Promise<unknown> => {
  const text = await textOf(response);
  try {
    return JSON.parse(text);
  } catch {
    throw notBusbar(response.status, text);
  }
};
