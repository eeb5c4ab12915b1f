import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FrameClient } from '../support/websocket.ts';
import { eventually } from '../support/workbench.ts';
import { range, reuseStreamBench, StreamBench } from './support/stream-bench.ts';

const recordsFrom = async (client: FrameClient, count: number) =>
  (await client.take(count)).map((item) => ('record' in item ? item.record.eventId : item));

const reuse = reuseStreamBench();

describe('the life of a frame stream', () => {
  it.each([
    ['text', 'hello'],
    ['bytes', Buffer.from([1, 2, 3])],
    ['an empty message', ''],
  ])('ends with 1003 for a client that sends %s', async (_, data) => {
    const { bench } = await reuse();
    const client = await FrameClient.open({ port: bench.port });
    client.socket.send(data);
    expect((await client.closed).code).toBe(1003);
    await eventually(async () => (await bench.broker(0)).consumers.length === 0);
  });

  it('answers pings and farewells', async () => {
    const { bench } = await reuse();
    const client = await FrameClient.open({ port: bench.port });
    const pong = once(client.socket, 'pong');
    client.socket.ping('are you there');
    expect(String((await pong)[0])).toBe('are you there');
    client.socket.close(1000);
    expect((await client.closed).code).toBe(1000);
    await eventually(async () => (await bench.broker(0)).consumers.length === 0);
  });

  it.each([
    ['as it came', 0],
    ['together', 1000],
  ])('ends with 1000 when its channel is closed, with all before written %s', async (_, ms) => {
    const { bench, before } = await reuse();
    const path = `/api/v1/messages/ws?channel=SIM00001/1&after=${before}&interval_ms=${ms}`;
    const client = await FrameClient.open({ port: bench.port, path });
    await bench.send(0, 500);
    await bench.close(1);
    expect((await client.closed).code).toBe(1000);
    expect(await recordsFrom(client, 500)).toEqual(
      range(1, 500).map((index) => before + 2 * index),
    );
  });

  it('of all channels outlives them, and follows those opened later', async () => {
    const { bench, before } = await reuse();
    const client = await FrameClient.open({ port: bench.port });
    await bench.close(0);
    await bench.close(1);
    for (const port of [2, 3]) await bench.open(port);
    await bench.send(3, 2);
    expect(await recordsFrom(client, 4)).toEqual(range(before + 1, before + 4));
  });

  it.each([0, 1000])('ends with 1001 when the Web service stops, %i ms a write', async (ms) => {
    const bench = await StreamBench.start();
    const path = `/api/v1/messages/ws?interval_ms=${ms}`;
    const client = await FrameClient.open({ port: bench.port, path });
    await bench.send(0, 3);
    await bench.workbench.json('web', 'stop');
    expect((await client.closed).code).toBe(1001);
    expect(await recordsFrom(client, 6)).toEqual(range(1, 6));
  });

  it('ends with 1001 when the daemon stops', async () => {
    const bench = await StreamBench.start();
    const client = await FrameClient.open({ port: bench.port });
    await bench.workbench.json('daemon', 'stop');
    expect((await client.closed).code).toBe(1001);
  });

  it('is one of 32 at a time; the next one is told to come later, before the upgrade', async () => {
    const { bench, before } = await reuse();
    const { port } = bench;
    const clients = await Promise.all(range(1, 32).map(() => FrameClient.open({ port })));
    const { status, body } = await FrameClient.refusal({ port });
    expect(status).toBe(503);
    expect(body.error).toMatchObject({ code: 'too_many_clients', retryable: true });
    await bench.send(0, 1);
    const expected = [before + 1, before + 2];
    for (const client of clients) expect(await recordsFrom(client, 2)).toEqual(expected);
    clients[7]?.close();
    await eventually(() =>
      FrameClient.open({ port }).then(
        () => true,
        () => false,
      ),
    );
  });
});
