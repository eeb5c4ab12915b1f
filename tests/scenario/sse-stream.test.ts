import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, sendRaw } from '../support/http.ts';
import { SseClient } from '../support/sse.ts';
import { eventually, Workbench } from '../support/workbench.ts';
import { type EventRecord, range, StreamBench } from './support/stream-bench.ts';

const stream = '/api/v1/messages/stream';

describe('the stream of server-sent events', () => {
  const workbench = new Workbench();
  let bench: StreamBench;
  let past: EventRecord[];

  /** Ten frames on each segment: odd ids belong to the sender, even ones to its peer. */
  beforeAll(async () => {
    bench = await StreamBench.start({ ports: [0, 1, 2] }, workbench);
    await bench.open(3, { name: 'rear' });
    await bench.send(0, 10);
    await bench.send(2, 10, { fd: true, data: '5A'.repeat(64) });
    ({ events: past } = await bench.history('limit=4096'));
  });
  afterAll(() => workbench.dispose());

  const open = (query: string, headers: Record<string, string> = {}): Promise<SseClient> =>
    SseClient.open({ port: bench.port, path: `${stream}${query}`, headers });

  const idsFrom = async (client: SseClient, count: number): Promise<number[]> =>
    (await client.take(count)).map(({ data }) => data.event_id);

  it('has the headers that a stream needs, and greets at once', async () => {
    const client = await open('');
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(client.headers['access-control-allow-origin']).toBeUndefined();
    await eventually(() => client.comments.length === 1);
  });

  it('gives the events of history, each with its event id as its id', async () => {
    const client = await open('?after=0');
    const events = await client.take(40);
    expect(events.map(({ data }) => data)).toEqual(past);
    expect(events.map(({ id }) => Number(id))).toEqual(range(1, 40));
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['message']));
  });

  it('goes on behind an event id with what comes next', async () => {
    const client = await open('?after=38');
    expect(await idsFrom(client, 2)).toEqual([39, 40]);
  });

  it('goes on behind Last-Event-ID, which wins over after', async () => {
    expect(await idsFrom(await open('', { 'last-event-id': '37' }), 3)).toEqual([38, 39, 40]);
    const both = await open('?after=1', { 'last-event-id': '39' });
    expect(await idsFrom(both, 1)).toEqual([40]);
    expect(await idsFrom(await open('', { 'last-event-id': '0' }), 2)).toEqual([1, 2]);
    // A browser sends this if it had no id yet.
    expect(await idsFrom(await open('?after=39', { 'last-event-id': '' }), 1)).toEqual([40]);
  });

  it.each(['x', '-1', '1e3', '0x10', '01', '1.0', '9007199254740993', '1, 2'])(
    'is refused with %j as Last-Event-ID',
    async (text) => {
      const answer = await bench.get('/messages/stream', { 'last-event-id': text });
      expect(answer.status).toBe(400);
      expect(answer.json().error).toMatchObject({
        code: 'invalid_argument',
        details: { field: 'last-event-id' },
      });
    },
  );

  it.each([
    ['channel=SIM00001/0', [1, 3, 5]],
    ['channel=sim-0000-0001%2F1', [2, 4, 6]],
    ['channel=rear', [22, 24, 26]],
    ['channel=2', [21, 23, 25]],
    ['channel=rear&channel=2', [21, 22, 23]],
    ['channel=rear&channel=3&channel=SIM00001/3', [22, 24, 26]],
  ])('of %s gives these channels alone', async (query, ids) => {
    expect(await idsFrom(await open(`?after=0&${query}`), 3)).toEqual(ids);
  });

  it.each([
    ['channel=', 400, 'invalid_argument'],
    ['channel=SIM00001/', 400, 'invalid_channel_selector'],
    ['channel=nobody', 404, 'channel_not_found'],
    ['channel=rear&channel=nobody', 404, 'channel_not_found'],
    ['channel=SIM00001/5', 409, 'channel_not_open'],
    ['channel=a%00b', 400, 'invalid_argument'],
    ['after=-1', 400, 'invalid_argument'],
    ['after=1e3', 400, 'invalid_argument'],
    ['after=9007199254740993', 400, 'invalid_argument'],
    ['after=1&after=2', 400, 'invalid_argument'],
    ['limit=1', 400, 'invalid_argument'],
    [
      `${range(1, 65)
        .map(() => 'channel=0')
        .join('&')}`,
      400,
      'invalid_argument',
    ],
  ])('is refused with %s: %i %s', async (query, status, code) => {
    const answer = await bench.get(`/messages/stream?${query}`);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.json().error.code).toBe(code);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  it('tells a client from another life what there is, and then gives it', async () => {
    const client = await open('?after=5000');
    const [gap, first] = await client.take(2);
    expect(gap).toEqual({
      event: 'gap',
      id: '0',
      data: { oldest_available: 1, newest_available: 40, missed: null },
    });
    expect(first?.data).toEqual(past[0]);
  });

  it.each([
    ['HEAD', 405],
    ['POST', 405],
    ['DELETE', 405],
  ])('cannot be asked for with %s', async (method, status) => {
    const answer = await ask({ port: bench.port, method, path: stream });
    expect(answer.status).toBe(status);
    expect(answer.headers.allow).toBe('GET');
  });

  it('is a plain body that the end of the connection ends, to a client of HTTP/1.0', async () => {
    // Streams of earlier tests may still be closing.
    await eventually(async () => (await bench.broker(3)).consumers.length === 0);
    const lines = [`GET ${stream}?after=39&channel=rear HTTP/1.0`, `Host: 127.0.0.1:${bench.port}`];
    const answering = sendRaw(bench.port, `${lines.join('\r\n')}\r\n\r\n`);
    await eventually(async () =>
      (await bench.broker(3)).consumers.some(({ kind, lag }) => kind === 'sse' && lag === 0),
    );
    await bench.close(3);
    const answer = await answering;
    expect(answer.headers['transfer-encoding']).toBeUndefined();
    expect(answer.text).toBe(
      `: events follow\n\nid: 40\nevent: message\ndata: ${JSON.stringify(past[39])}\n\n`,
    );
  });
});
