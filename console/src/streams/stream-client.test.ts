import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, longRequests } from '../api/client.ts';
import { settled } from '../api/testing/settled.ts';
import { askStreams, takeSlot } from './stream-client.ts';
import { FakeSseService } from './testing/fake-sse-service.ts';

let service: FakeSseService;
const { takeSlot: freely } = longRequests;

beforeEach(() => {
  service = new FakeSseService();
  service.shareWorker();
  longRequests.takeSlot = takeSlot;
});
afterEach(() => {
  service.remove();
  longRequests.takeSlot = freely;
});

/** A worker that never responds, for example because it could not be loaded. */
const stubSilentWorkers = (): readonly { onerror: (() => void) | null }[] => {
  const started: SilentWorker[] = [];
  class SilentWorker {
    readonly port = { postMessage: () => {}, addEventListener: () => {}, close: () => {} };
    onerror: (() => void) | null = null;
    constructor() {
      started.push(this);
    }
  }
  vi.stubGlobal('SharedWorker', SilentWorker);
  return started;
};

/** Whether a slot is free. */
const isFree = async (): Promise<boolean> => {
  const slot = await takeSlot().catch(() => null);
  slot?.();
  return slot !== null;
};

describe('a slot for a request that may take long', () => {
  it('is there for three of all tabs, and again when one is released', async () => {
    const [release] = await Promise.all([takeSlot(), takeSlot(), takeSlot()]);
    await expect(takeSlot()).rejects.toMatchObject({
      code: 'too_many_long_requests',
      isFinal: true,
    });
    release();
    await settled(isFree);
  });

  it('is taken for as long as the request, and not for those that are answered soon', async () => {
    const answers: ((response: Response) => void)[] = [];
    vi.stubGlobal('fetch', () => new Promise((answer) => answers.push(answer)));
    const limitMs = 60_000;
    const frame = { channel: 'SIM00001/0' };
    const long = Array.from({ length: 3 }, () => call('message.send', frame, { limitMs }));
    await settled(() => answers.length === 3);
    await expect(call('message.send', frame, { limitMs })).rejects.toThrow(
      'too many long requests',
    );
    const short = call('health');
    await settled(() => answers.length === 4);
    for (const answer of answers) answer(Response.json({}));
    await Promise.all([...long, short]);
    await settled(isFree);
  });

  it('is not needed where no worker counts them', async () => {
    vi.useFakeTimers();
    stubSilentWorkers();
    const slot = takeSlot();
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(slot).resolves.toBeTypeOf('function');
    vi.useRealTimers();
  });
});

describe('a worker that has the connections and cannot be fetched', () => {
  it('is told of at once, and asked for again by the next stream', async () => {
    const started = stubSilentWorkers();
    const open = () => askStreams({ type: 'slot' }, new AbortController().signal).next();
    const first = open();
    started[0]?.onerror?.();
    await expect(first).rejects.toMatchObject({ code: 'streams_missing', isFinal: false });
    service.shareWorker();
    await expect(open()).resolves.toMatchObject({ value: { type: 'open' } });
  });
});
