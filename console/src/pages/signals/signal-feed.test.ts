import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiError } from '../../api/api-error.ts';
import { settled } from '../../streams/testing/fake-frame-service.ts';
import { gapLines } from './gap-log.ts';
import { SignalFeed } from './signal-feed.ts';
import { aSample } from './testing/samples.ts';

/** One request for the stream, as the service sees it. */
interface Opened {
  readonly path: string;
  readonly lastEventId: string | undefined;
  readonly send: (text: string) => void;
  readonly aborted: AbortSignal;
}

const opened: Opened[] = [];

const serve = (path: string, init: RequestInit): Promise<Response> => {
  let send = (_text: string): void => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const headers = init.headers as Record<string, string>;
  const aborted = init.signal as AbortSignal;
  opened.push({ path, lastEventId: headers['last-event-id'], send, aborted });
  return Promise.resolve(new Response(body));
};

const sampleEvent = (sequence: number): string =>
  `id: ${sequence}\nevent: sample\ndata: ${JSON.stringify(aSample(sequence))}\n\n`;

const setUp = () => {
  const sequences: number[] = [];
  const onGap = vi.fn();
  const onLive = vi.fn();
  const plans = { error: signal<ApiError | null>(null), refresh: () => Promise.resolve() };
  const feed = new SignalFeed({
    plans,
    onSample: ({ sequence }) => sequences.push(sequence),
    onGap,
    onLive,
  });
  return { feed, sequences, onGap, onLive };
};

const following = (...signals: string[]) => new Map([['plan-1', new Set(signals)]]);
const connection = async (number: number): Promise<Opened> => {
  await settled(() => opened.length >= number);
  return opened[number - 1] as Opened;
};

beforeEach(() => {
  opened.length = 0;
  vi.stubGlobal('fetch', serve);
});
afterEach(() => vi.unstubAllGlobals());

describe('SignalFeed', () => {
  it('rests as long as there is nothing to follow', () => {
    const { feed } = setUp();
    feed.start();
    expect([feed.state.value, opened.length]).toEqual(['idle', 0]);
  });

  it('follows the chosen signals of the plans, live at first', async () => {
    const { feed, sequences, onLive } = setUp();
    feed.follow(new Map([...following('Speed', 'Gear'), ['plan-0', new Set(['Speed'])]]));
    const { path, lastEventId, send } = await connection(1);
    expect(path).toBe('/api/v1/signals/stream?plan=plan-0&plan=plan-1&signal=Gear&signal=Speed');
    expect(lastEventId).toBeUndefined();
    send(sampleEvent(7) + sampleEvent(8));
    await settled(() => sequences.length === 2);
    expect([feed.state.value, feed.cursor, feed.samples]).toEqual(['live', '8', 2]);
    expect(onLive).toHaveBeenCalledOnce();
    feed.stop();
  });

  it('goes on behind the last sample when the choice changes', async () => {
    const { feed, sequences } = setUp();
    feed.follow(following('Speed'));
    const first = await connection(1);
    first.send(sampleEvent(7));
    await settled(() => sequences.length === 1);
    feed.follow(following('Speed', 'Gear'));
    const second = await connection(2);
    expect([first.aborted.aborted, second.lastEventId]).toEqual([true, '7']);
    feed.stop();
  });

  it('does not open the stream anew for the same choice', async () => {
    const { feed } = setUp();
    feed.follow(following('Speed'));
    const { aborted } = await connection(1);
    feed.follow(following('Speed'));
    expect([aborted.aborted, opened.length]).toEqual([false, 1]);
    feed.stop();
  });

  it('begins live again when no plan is left from before', async () => {
    const { feed, sequences } = setUp();
    feed.follow(following('Speed'));
    (await connection(1)).send(sampleEvent(7));
    await settled(() => sequences.length === 1);
    feed.follow(new Map());
    expect(feed.state.value).toBe('idle');
    feed.follow(new Map([['plan-2', new Set(['Speed'])]]));
    expect((await connection(2)).lastEventId).toBeUndefined();
    feed.stop();
  });

  it('stays stopped whatever is chosen, and then goes on behind the last sample', async () => {
    const { feed, sequences } = setUp();
    feed.follow(following('Speed'));
    (await connection(1)).send(sampleEvent(7));
    await settled(() => sequences.length === 1);
    feed.stop();
    feed.follow(following('Speed', 'Gear'));
    expect([feed.state.value, opened.length]).toEqual(['stopped', 1]);
    feed.start();
    expect((await connection(2)).lastEventId).toBe('7');
    feed.stop();
  });

  it('tells a gap with the bound that the sequence gives', async () => {
    const { feed, sequences, onGap } = setUp();
    feed.follow(following('Speed'));
    (await connection(1)).send(sampleEvent(7));
    await settled(() => sequences.length === 1);
    feed.stop();
    feed.start();
    const gap = { oldest_available: 20, newest_available: 40, missed: null };
    (await connection(2)).send(`id: 19\nevent: gap\ndata: ${JSON.stringify(gap)}\n\n`);
    await settled(() => onGap.mock.calls.length === 1);
    expect(gapLines(feed.gaps.value)[0]).toContain('Missed up to 12 samples, before sample 20.');
    await settled(() => feed.cursor === '19');
    feed.stop();
  });
});
