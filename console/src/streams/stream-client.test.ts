import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, longRequests } from '../api/client.ts';
import { takeSlot } from './stream-client.ts';
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

/** Whether a slot is free by now. */
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
    await vi.waitUntil(isFree);
  });

  it('is taken for as long as the request, and not for those that are answered soon', async () => {
    const answers: ((response: Response) => void)[] = [];
    vi.stubGlobal('fetch', () => new Promise((answer) => answers.push(answer)));
    const limitMs = 60_000;
    const long = Array.from({ length: 3 }, () => call('message.send', { limitMs }));
    await vi.waitUntil(() => answers.length === 3);
    await expect(call('message.send', { limitMs })).rejects.toThrow('under way already');
    const short = call('health');
    await vi.waitUntil(() => answers.length === 4);
    for (const answer of answers) answer(Response.json({}));
    await Promise.all([...long, short]);
    await vi.waitUntil(isFree);
  });

  it('is not needed where no worker counts them', async () => {
    vi.useFakeTimers();
    vi.stubGlobal(
      'SharedWorker',
      class {
        readonly port = { postMessage: () => {}, addEventListener: () => {}, close: () => {} };
      },
    );
    const slot = takeSlot();
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(slot).resolves.toBeTypeOf('function');
    vi.useRealTimers();
  });
});
