import { describe, expect, it } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { range, StreamBench } from './support/stream-bench.ts';

const countOf = <T>(values: readonly T[], value: T): number =>
  values.filter((each) => each === value).length;

describe('forty clients of each stream that come at once', () => {
  it('are 32 of each that are served, and eight that are told to come later', async () => {
    const bench = await StreamBench.start();
    const { port } = bench;
    // Looking up a channel takes a moment, during which the others arrive.
    const query = '?channel=SIM00001/0&channel=1';
    const events = range(1, 40).map(() =>
      SseClient.open({ port, path: `/api/v1/messages/stream${query}` }),
    );
    const frames = range(1, 40).map(() =>
      FrameClient.open({ port, path: `/api/v1/messages/ws${query}` }),
    );
    const statuses = (await Promise.all(events)).map(({ status }) => status);
    expect([countOf(statuses, 200), countOf(statuses, 503)]).toEqual([32, 8]);
    const outcomes = (await Promise.allSettled(frames)).map((outcome) =>
      outcome.status === 'fulfilled' ? 'open' : String(outcome.reason.message),
    );
    expect([
      countOf(outcomes, 'open'),
      countOf(outcomes, 'Unexpected server response: 503'),
    ]).toEqual([32, 8]);
    const { consumers } = await bench.broker(0);
    expect(consumers).toHaveLength(64);

    await bench.send(0, 1);
    for (const client of (await Promise.all(events)).filter(({ status }) => status === 200)) {
      expect((await client.take(2)).map(({ data }) => data.event_id)).toEqual([1, 2]);
    }
    for (const outcome of await Promise.allSettled(frames)) {
      if (outcome.status === 'rejected') continue;
      expect(await outcome.value.take(2)).toMatchObject([
        { record: { eventId: 1 } },
        { record: { eventId: 2 } },
      ]);
    }
  });
});
