import { ApiError } from './api-error.js';
import { rememberedToken } from './remembered.js';

const patienceMs = 5000;

const send = async (path, { headers = {}, signal = AbortSignal.timeout(patienceMs) } = {}) => {
  const token = rememberedToken.get();
  try {
    return await fetch(path, {
      headers: token === null ? headers : { ...headers, authorization: `Bearer ${token}` },
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal,
    });
  } catch (thrown) {
    throw silence(thrown);
  }
};

const silence = (thrown) =>
  thrown.name === 'TimeoutError'
    ? new ApiError({ code: 'no_answer', message: `No answer within ${patienceMs / 1000} s` })
    : new ApiError({ code: 'unreachable', message: `Nothing answers at ${location.host}` });

/** An answer can still end half-way, or be no JSON at all. */
const readJson = async (response) => {
  try {
    return await response.json();
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw silence(thrown);
    throw notBusbar(response);
  }
};

const notBusbar = ({ status }) =>
  new ApiError({ code: 'not_busbar', message: `Something else answered, with status ${status}` });

const refusal = async (response) => {
  const body = await readJson(response);
  if (typeof body?.error?.code !== 'string') return notBusbar(response);
  const { code, message, retryable } = body.error;
  return new ApiError({ code, message, retryable, requestId: body.request_id });
};

const request = async (path, options) => {
  const response = await send(path, options);
  if (!response.ok) throw await refusal(response);
  return response;
};

/** Reads a JSON resource. Throws an ApiError and nothing else. */
export const getJson = async (path) => readJson(await request(path));

/** Reads a resource as it is, to be saved. Throws an ApiError and nothing else. */
export const getBlob = async (path) => {
  const response = await request(path);
  try {
    return await response.blob();
  } catch (thrown) {
    throw silence(thrown);
  }
};

const lostLine = new ApiError({ code: 'connection_lost', message: 'The connection broke' });

async function* piecesOf(body) {
  try {
    yield* body.pipeThrough(new TextDecoderStream());
  } catch {
    throw lostLine;
  }
}

/**
 * Opens an endless text and answers its pieces as they come, until the signal ends it. Opening and
 * reading throw an ApiError and nothing else.
 */
export const openText = async (path, { headers, signal }) =>
  piecesOf((await request(path, { headers, signal })).body);
