import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiError } from '../api/api-error.ts';
import { settled } from '../api/testing/settled.ts';
import { aGap, anEvent, FakeSseService } from '../streams/testing/fake-sse-service.ts';
import { gapLines } from './gap-log.ts';
import { SampleStream } from './sample-stream.ts';
import { aSample } from './testing/samples.ts';

let service: FakeSseService;

const sampleEvent = (sequence: number): string =>
  anEvent(sequence, 'sample', aSample(sequence, { signal: 'Speed' }));

const setUp = () => {
  const sequences: number[] = [];
  const onGap = vi.fn();
  const onLive = vi.fn();
  const plans = { error: signal<ApiError | null>(null), refresh: () => Promise.resolve() };
  const feed = new SampleStream({
    plans,
    onSample: ({ sequence }) => sequences.push(sequence),
    onGap,
    onLive,
  });
  return { feed, sequences, onGap, onLive };
};

const following = (...signals: string[]) => new Map([['plan-1', new Set(signals)]]);
const connection = (number: number) => service.connection(number);

beforeEach(() => {
  service = new FakeSseService();
  service.shareWorker();
});
afterEach(() => service.remove());

describe('SampleStream', () => {
  it('rests as long as there is nothing to follow', () => {
    const { feed } = setUp();
    feed.start();
    expect([feed.state.value, service.opened.length]).toEqual(['idle', 0]);
  });

  it('follows the chosen signals of the plans, live at first', async () => {
    const { feed, sequences, onLive } = setUp();
    feed.follow(new Map([...following('Speed', 'Gear'), ['plan-0', new Set(['Speed'])]]));
    const { path, lastEventId, send } = await connection(1);
    expect(path).toBe('/api/v1/signals/stream?plan=plan-0&plan=plan-1&signal=Gear&signal=Speed');
    expect(lastEventId).toBeUndefined();
    send(sampleEvent(7) + sampleEvent(8));
    await settled(() => sequences.length === 2);
    expect([feed.state.value, feed.cursor, feed.samples]).toEqual(['live', 8, 2]);
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
    expect([aborted.aborted, service.opened.length]).toEqual([false, 1]);
    feed.stop();
  });

  it('begins live again when no plan is left from before', async () => {
    const { feed, sequences } = setUp();
    feed.follow(following('Speed'));
    const first = await connection(1);
    first.send(sampleEvent(7));
    await settled(() => sequences.length === 1);
    feed.follow(new Map());
    expect(feed.state.value).toBe('idle');
    await settled(() => first.aborted.aborted);
    feed.follow(new Map([['plan-2', new Set(['Speed'])]]));
    expect((await connection(2)).lastEventId).toBeUndefined();
    feed.stop();
  });

  it('stays stopped whatever is chosen, and then goes on behind the last sample', async () => {
    const { feed, sequences } = setUp();
    feed.follow(following('Speed'));
    const first = await connection(1);
    first.send(sampleEvent(7));
    await settled(() => sequences.length === 1);
    feed.stop();
    feed.follow(following('Speed', 'Gear'));
    expect([feed.state.value, service.opened.length]).toEqual(['stopped', 1]);
    await settled(() => first.aborted.aborted);
    feed.start();
    expect((await connection(2)).lastEventId).toBe('7');
    feed.stop();
  });

  it('tells a gap with the bound that the sequence gives', async () => {
    const { feed, sequences, onGap } = setUp();
    feed.follow(following('Speed'));
    const first = await connection(1);
    first.send(sampleEvent(7));
    await settled(() => sequences.length === 1);
    feed.stop();
    await settled(() => first.aborted.aborted);
    feed.start();
    (await connection(2)).send(aGap(20, 40));
    await settled(() => onGap.mock.calls.length === 1);
    expect(gapLines(feed.gaps.value)[0]).toContain('Missed up to 12 samples, before sample 20.');
    await settled(() => feed.cursor === 19);
    feed.stop();
  });

  it('shares the connection with other tabs, each with a cursor and a Stop of its own', async () => {
    const [here, there] = [setUp(), setUp()];
    for (const { feed } of [here, there]) feed.follow(following('Speed'));
    const { send, aborted } = await connection(1);
    send(sampleEvent(7));
    await settled(() => [here, there].every(({ sequences }) => sequences.length === 1));
    here.feed.stop();
    send(sampleEvent(8));
    await settled(() => there.sequences.length === 2);
    expect([here.feed.state.value, here.feed.cursor]).toEqual(['stopped', 7]);
    expect([there.feed.state.value, there.feed.cursor]).toEqual(['live', 8]);
    here.feed.start();
    await settled(() => here.sequences.length === 2);
    expect([here.sequences, there.sequences]).toEqual([
      [7, 8],
      [7, 8],
    ]);
    expect([service.opened.length, aborted.aborted]).toEqual([1, false]);
    for (const { feed } of [here, there]) feed.stop();
    await settled(() => aborted.aborted);
  });
});
