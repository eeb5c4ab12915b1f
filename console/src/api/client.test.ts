import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, longRequests, request } from './client.ts';

/** Fetches from a service that never responds: only the signal ends the request. */
const silentService = (_path: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

const all = (response: Response): Promise<string> => response.text();

/** Begins a response that is cut off by the timeout. */
const slowService = async (path: string, init: RequestInit): Promise<Response> => {
  const body = new ReadableStream({
    start: (controller) => {
      void silentService(path, init).catch((reason) => controller.error(reason));
    },
  });
  return new Response(body, { status: 200 });
};

describe('a request that is not answered in time', () => {
  let limits: number[];

  beforeEach(() => {
    limits = [];
    vi.stubGlobal('location', { host: 'bench:8080' });
    vi.stubGlobal('fetch', silentService);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms);
      return AbortSignal.abort(new DOMException('Too late', 'TimeoutError'));
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('says the usual limit where the caller gave no other', async () => {
    await expect(call('info')).rejects.toMatchObject({
      code: 'no_answer',
      message: 'No answer within 5 s',
    });
    expect(limits).toEqual([5000]);
  });

  it('says the limit that the caller gave', async () => {
    const body = { file: 'large.dbc' };
    await expect(call('database.load', body, { limitMs: 60_000 })).rejects.toMatchObject({
      message: 'No answer within 60 s',
    });
    await expect(request('/metrics', { limitMs: 6_540 }, all)).rejects.toMatchObject({
      message: 'No answer within 6.5 s',
    });
    expect(limits).toEqual([60_000, 6_540]);
  });

  it('says so too where the answer had begun', async () => {
    vi.stubGlobal('fetch', slowService);
    await expect(call('info', {}, { limitMs: 20_000 })).rejects.toMatchObject({
      code: 'no_answer',
      message: 'No answer within 20 s',
    });
  });

  it('keeps to the limit beside a signal of the caller, and has none with a signal alone', async () => {
    const { signal } = new AbortController();
    await expect(request('/metrics', { signal, limitMs: 90_000 }, all)).rejects.toMatchObject({
      message: 'No answer within 90 s',
    });
    const stop = new AbortController();
    const asked = request('/api/v1/messages/stream', { signal: stop.signal }, all);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: 'unreachable' });
    expect(limits).toEqual([90_000]);
  });
});

describe('a request that may take long', () => {
  const { takeSlot } = longRequests;
  afterEach(() => {
    longRequests.takeSlot = takeSlot;
    vi.unstubAllGlobals();
  });

  it('needs a slot, unless it ends something', async () => {
    const asked = vi.fn(async () => Response.json({}));
    vi.stubGlobal('fetch', asked);
    longRequests.takeSlot = () => Promise.reject(new Error('None is free'));
    const instance = { instance: 'a' };
    await expect(call('gateway.start', instance, { limitMs: 30_000 })).rejects.toThrow(
      'None is free',
    );
    await call('gateway.stop', instance, { limitMs: 30_000, isUrgent: true });
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe('an answer that is no success', () => {
  beforeEach(() => vi.stubGlobal('location', { host: 'bench:8080' }));
  afterEach(() => vi.unstubAllGlobals());

  it('is an error in the words of the service, with the id of its request', async () => {
    const error = {
      code: 'channel_not_open',
      message: 'It is closed',
      details: { field: 'channel' },
    };
    const body = { error: { ...error, retryable: false }, request_id: 'r-7' };
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 409 }));
    await expect(call('info')).rejects.toMatchObject({
      ...{ code: 'channel_not_open', message: 'It is closed', isFinal: true },
      ...{ requestId: 'r-7', field: 'channel' },
    });
  });

  it.each([
    [200, '<html></html>'],
    [502, '<html></html>'],
    [404, '{"error":"no such page"}'],
  ])(
    'is not taken for one of the service where something else sent it: %i %s',
    async (status, body) => {
      vi.stubGlobal('fetch', async () => new Response(body, { status }));
      await expect(call('info')).rejects.toMatchObject({
        code: 'not_busbar',
        message: `The server at this address is not Busbar (HTTP status ${status})`,
      });
    },
  );
});
