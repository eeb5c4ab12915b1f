import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually } from '../support/workbench.ts';
import { isRefused } from './support/ports.ts';
import { range, StreamBench } from './support/stream-bench.ts';

const long = { fd: true, brs: true, data: '5A'.repeat(64) };

/** Sends frames until no subscriber of the channel can accept more. */
const sendUntilBehind = async (bench: StreamBench, consumers: number): Promise<number> => {
  for (let sent = 0; ; ) {
    await bench.send(0, 4000, long);
    sent += 4000;
    const { consumers: all } = await bench.broker(0);
    if (all.filter(({ lag }) => lag > 4000).length === consumers) return sent;
  }
};

describe('a channel that is closed while a client does not read', () => {
  it('ends its event stream with what it could not have any more, counted exactly', async () => {
    const bench = await StreamBench.start({ web: ['--history-capacity=20000'] });
    const path = '/api/v1/messages/stream?channel=0';
    const client = await SseClient.open({ port: bench.port, path });
    client.stall();
    const sent = await sendUntilBehind(bench, 1);
    await bench.close(0);
    client.resume();
    await client.ended;

    const sequences: number[] = [];
    const gaps: { missed: number }[] = [];
    client.follow(({ event, data }) => {
      if (event === 'gap') gaps.push(data);
      else sequences.push(data.source_sequence);
    });
    expect(sequences).toEqual(range(1, sequences.length));
    // A closed channel produces no more events: its last event was the newest.
    expect(gaps).toEqual([
      {
        missed: sent - sequences.length,
        oldest_available: 2 * sent,
        newest_available: 2 * sent - 1,
      },
    ]);
  });

  itLong('ends its frame stream likewise, with a gap before the farewell', async () => {
    const bench = await StreamBench.start({ web: ['--history-capacity=20000'] });
    const path = '/api/v1/messages/ws?channel=0';
    const client = await FrameClient.open({ port: bench.port, path });
    client.stall();
    const sent = await sendUntilBehind(bench, 1);
    await bench.close(0);
    client.resume();
    expect((await client.closed).code).toBe(1000);

    const sequences: number[] = [];
    const texts: object[] = [];
    client.follow((item) => {
      if ('text' in item) texts.push(item.text);
      else sequences.push(item.record.sourceSequence);
    });
    expect(sequences).toEqual(range(1, sequences.length));
    expect(texts).toEqual([
      { event: 'gap', oldest_available: 2 * sent, newest_available: 2 * sent - 1 },
    ]);
  });
});

describe('a Web service that stops while clients do not read', () => {
  itLong('does not wait for them', async () => {
    const bench = await StreamBench.start();
    const { port, workbench } = bench;
    const sse = await SseClient.open({ port });
    const frames = await FrameClient.open({ port });
    sse.stall();
    frames.stall();
    await sendUntilBehind(bench, 2);
    expect(await workbench.json('web', 'stop')).toMatchObject({ state: 'stopped' });
    expect(await isRefused(port)).toBe(true);
    sse.resume();
    frames.resume();
    await frames.closed;
    await sse.ended.catch(() => undefined);
    ({ port: bench.port } = await workbench.startWeb());
    await eventually(async () => (await bench.broker(0)).consumers.length === 0);
  });
});
