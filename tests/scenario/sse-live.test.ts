import { describe, expect, it } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { eventually } from '../support/workbench.ts';
import { range, reuseStreamBench, StreamBench } from './support/stream-bench.ts';

const pathOf = (query: string): string => `/api/v1/messages/stream${query}`;

const idsFrom = async (client: SseClient, count: number): Promise<number[]> =>
  (await client.take(count)).map(({ data }) => data.event_id);

const reuse = reuseStreamBench();

describe('a live stream of server-sent events', () => {
  it('starts with what comes next, without a gap before it', async () => {
    const bench = await StreamBench.start({ web: ['--history-capacity=10'] });
    await bench.send(0, 100);
    const client = await SseClient.open({ port: bench.port });
    await bench.send(1, 2);
    expect(await idsFrom(client, 4)).toEqual([201, 202, 203, 204]);
  });

  it('follows channels that are opened later, if it asked for all', async () => {
    const { bench } = await reuse([]);
    const client = await SseClient.open({ port: bench.port });
    await bench.open(0);
    await bench.open(1);
    await bench.send(0, 1);
    await bench.open(2);
    await bench.open(3);
    await bench.send(2, 1);
    expect((await client.take(4)).map(({ data }) => data.selector)).toEqual([
      'SIM00001/0',
      'SIM00001/1',
      'SIM00001/2',
      'SIM00001/3',
    ]);
  });

  it('ends cleanly when its channel is closed, with all that came before', async () => {
    const { bench, before } = await reuse();
    const client = await SseClient.open({
      port: bench.port,
      path: pathOf(`?channel=SIM00001/1&after=${before}`),
    });
    await bench.send(0, 500);
    await bench.close(1);
    await client.ended;
    expect(await idsFrom(client, 500)).toEqual(range(1, 500).map((index) => before + 2 * index));
  });

  it('of two channels ends with the second of them', async () => {
    const { bench } = await reuse();
    const path = pathOf('?channel=SIM00001/0&channel=SIM00001/1');
    const client = await SseClient.open({ port: bench.port, path });
    await bench.send(0, 1);
    await client.take(2);
    await bench.close(1);
    expect((await bench.broker(0)).consumers).toHaveLength(1);
    await bench.close(0);
    await client.ended;
  });

  it('of all channels outlives every one of them', async () => {
    const { bench, before } = await reuse();
    const client = await SseClient.open({ port: bench.port });
    await bench.close(0);
    await bench.close(1);
    await bench.open(0);
    await bench.open(1);
    await bench.send(0, 1);
    expect(await idsFrom(client, 2)).toEqual([before + 1, before + 2]);
  });

  it('ends cleanly when the Web service stops, which keeps channels and events', async () => {
    const bench = await StreamBench.start();
    const client = await SseClient.open({ port: bench.port });
    await bench.send(0, 3);
    await bench.workbench.json('web', 'stop');
    await client.ended;
    expect(await idsFrom(client, 6)).toEqual(range(1, 6));
  });

  it('is counted as a consumer while it is there, and no longer', async () => {
    const { bench, before } = await reuse();
    const path = pathOf(`?channel=SIM00001/0&after=${before}`);
    const client = await SseClient.open({ port: bench.port, path });
    await bench.send(0, 5);
    await client.take(5);
    await eventually(async () => (await bench.broker(0)).consumers[0]?.lag === 0);
    expect((await bench.broker(0)).consumers).toEqual([
      { kind: 'sse', cursor: expect.any(Number), lag: 0 },
    ]);
    expect((await bench.broker(1)).consumers).toEqual([]);
    client.close();
    await eventually(async () => (await bench.broker(0)).consumers.length === 0);
  });

  it('that has expired tells the bounds of the refusal, and resumes without a loss', async () => {
    const bench = await StreamBench.start({ web: ['--history-capacity=100'] });
    await bench.send(0, 150);
    const bounds = { oldest_available: 101, newest_available: 300 };
    expect(await bench.expiry('after=7')).toEqual(bounds);
    const headers = { 'last-event-id': '7' };
    const client = await SseClient.open({ port: bench.port, headers });
    const [gap, ...events] = await client.take(201);
    expect(gap).toEqual({ event: 'gap', id: '100', data: { ...bounds, missed: null } });
    expect(events.map(({ data }) => data.event_id)).toEqual(range(101, 300));

    // A client that disconnects at the gap resumes there, without duplicates or omissions.
    const again = { 'last-event-id': gap?.id ?? '' };
    const resumed = await SseClient.open({ port: bench.port, headers: again });
    expect(await idsFrom(resumed, 200)).toEqual(range(101, 300));
  });
});

describe('the limits of streams', () => {
  it('serve 32 clients, tell the next one to come later, and have room again', async () => {
    const { bench, before } = await reuse();
    const { port } = bench;
    const { limits } = (await bench.get('/capabilities')).json();
    expect(limits.sse_clients).toBe(32);
    const clients = await Promise.all(range(1, 32).map(() => SseClient.open({ port })));
    const refused = await bench.get('/messages/stream');
    expect(refused.status).toBe(503);
    expect(refused.json().error).toMatchObject({ code: 'too_many_clients', retryable: true });
    // Other requests and existing streams are still served.
    await bench.send(0, 1);
    const ids = [before + 1, before + 2];
    for (const client of clients) expect(await idsFrom(client, 2)).toEqual(ids);
    clients[0]?.close();
    await eventually(async () => (await bench.broker(0)).consumers.length === 31);
    await eventually(async () => (await SseClient.open({ port })).status === 200);
  });
});

describe('a stream behind a token', () => {
  it('is for clients that have it in a header, and for no others', async () => {
    const token = 'let-me-in';
    const headers = { authorization: `Bearer ${token}` };
    const bench = await StreamBench.start({ web: [`--token=${token}`], headers });
    const { port } = bench;
    for (const wrong of [{}, { authorization: 'Bearer let-me-out' }, { cookie: token }]) {
      const refused = await SseClient.open({ port, headers: wrong });
      expect(refused.status).toBe(401);
      expect(refused.headers['www-authenticate']).toBe('Bearer');
    }
    const inQuery = await bench.get(`/messages/stream?token=${token}`);
    expect(inQuery.status).toBe(400);
    const client = await SseClient.open({ port, headers });
    await bench.send(0, 1);
    expect(await idsFrom(client, 2)).toEqual([1, 2]);
  });
});
