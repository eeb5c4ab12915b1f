import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { eventually } from '../support/workbench.ts';
import { api, refusedOverHttp } from './support/channel-bench.ts';
import { type SampleRecord, SignalBench, setUpSignalBench } from './support/signal-bench.ts';
import { range } from './support/stream-bench.ts';

const database = `BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (1,0) [0|0] "rpm" ECU
 SG_ Load : 16|8@1+ (1,0) [0|0] "" ECU
BO_ 257 Body: 8 ECU
 SG_ Door : 0|8@1+ (1,0) [0|0] "" ECU
`;

describe('the stream of samples', () => {
  const bench = new SignalBench();
  let engine = '';
  let body = '';

  /** Sequences 1 to 20 belong to the engine, 21 to 25 to the body. */
  beforeAll(async () => {
    await bench.start();
    [engine = '', body = ''] = await bench.follow(database, 'Engine', 'Body');
    await bench.transmit({ id: 256, data: '0500FF', count: 10 });
    await bench.transmit({ id: 257, data: '01', count: 5 });
    await bench.decoded(engine, 10);
    await bench.decoded(body, 5);
  });
  afterAll(() => bench.dispose());

  const idsFrom = async (client: SseClient, count: number): Promise<number[]> =>
    (await client.take(count)).map(({ id }) => Number(id));

  it('has the headers that a stream needs, and greets at once', async () => {
    const client = await bench.stream('');
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    });
    await eventually(() => client.comments.length === 1);
  });

  it('gives the samples of history, each with its sequence as its id', async () => {
    const client = await bench.stream(`plan=${engine}&signal=Speed&after=0`);
    const events = await client.take(10);
    const { samples } = await bench.page(engine, 'Speed');
    expect(events).toEqual(
      samples.map((data) => ({ event: 'sample', id: `${data.sequence}`, data })),
    );
  });

  it.each([
    ['after=0', range(1, 25)],
    ['after=19', range(20, 25)],
    ['signal=Load&after=0', range(1, 10).map((frame) => 2 * frame)],
    ['signal=Load&signal=Door&after=16', [18, 20, ...range(21, 25)]],
  ])('of all plans with %s gives these', async (query, sequences) => {
    expect(await idsFrom(await bench.stream(query), sequences.length)).toEqual(sequences);
  });

  it('of several plans gives their samples in one order', async () => {
    const both = await bench.stream(`plan=${body}&plan=${engine}&plan=${body}&after=18`);
    const events = await both.take(7);
    expect(events.map(({ id }) => Number(id))).toEqual(range(19, 25));
    expect(events.map(({ data }) => data.plan_id)).toEqual([
      ...Array(2).fill(engine),
      ...Array(5).fill(body),
    ]);
    const one = await bench.stream(`plan=${body}&after=18`);
    expect(await idsFrom(one, 5)).toEqual(range(21, 25));
  });

  it('goes on behind Last-Event-ID, which wins over after', async () => {
    const headers = (id: string) => ({ 'last-event-id': id });
    expect(await idsFrom(await bench.stream('', headers('23')), 2)).toEqual([24, 25]);
    expect(await idsFrom(await bench.stream('after=1', headers('24')), 1)).toEqual([25]);
    expect(await idsFrom(await bench.stream('after=24', headers('')), 1)).toEqual([25]);
  });

  it('tells a client from another life what there is, and then gives it', async () => {
    const client = await bench.stream(`plan=${engine}&after=5000`);
    expect(await client.take(2)).toMatchObject([
      {
        event: 'gap',
        id: '0',
        data: { oldest_available: 1, newest_available: 20, missed: null },
      },
      { event: 'sample', id: '1' },
    ]);
  });

  it.each([
    ['plan=plan-0', 404, 'plan_not_found'],
    ['signal=Nothing', 404, 'signal_not_found'],
    ['plan=', 400, 'invalid_argument'],
    ['signal=', 400, 'invalid_argument'],
    ['after=-1', 400, 'invalid_argument'],
    ['after=1&after=2', 400, 'invalid_argument'],
    ['limit=1', 400, 'invalid_argument'],
  ])('is refused with %s before it begins: %i %s', async (query, status, code) => {
    const answer = await bench.get(`${api}/signals/stream?${query}`);
    expect(refusedOverHttp(answer)).toMatchObject({ status, code });
    expect(answer.headers['content-type']).toContain('application/json');
  });

  it('is refused where one plan of several is unknown, or has none of the signals', async () => {
    const unknown = await bench.get(`${api}/signals/stream?plan=${engine}&plan=plan-0`);
    expect(refusedOverHttp(unknown)).toMatchObject({
      code: 'plan_not_found',
      details: { plan: 'plan-0' },
    });
    const foreign = await bench.get(`${api}/signals/stream?plan=${engine}&signal=Door`);
    expect(refusedOverHttp(foreign)).toMatchObject({ status: 404, code: 'signal_not_found' });
  });

  it.each(['x', '-1', '1e3', '9007199254740993'])(
    'is refused with %j as Last-Event-ID',
    async (text) => {
      const path = `${api}/signals/stream`;
      const client = await SseClient.open({
        port: bench.port,
        path,
        headers: { 'last-event-id': text },
      });
      expect(client.status).toBe(400);
    },
  );
});

describe('a stream of samples as it lives', () => {
  const prepare = async () => {
    const bench = await setUpSignalBench();
    await bench.openSegment();
    await bench.use('vehicle', database);
    const request = { database: 'vehicle', message: 'Engine' };
    const { plan_id: engine } = await bench.plan(request);
    const { plan_id: body } = await bench.plan({ ...request, message: 'Body' });
    return { bench, engine, body };
  };

  it('starts live, and ends when the last of its plans is deleted', async () => {
    const { bench, engine, body } = await prepare();
    await bench.transmit({ id: 256, data: '0500FF' });
    await bench.decoded(engine, 1);
    const one = await bench.stream(`plan=${engine}`);
    const both = await bench.stream(`plan=${engine}&plan=${body}`);
    await bench.transmit({ id: 256, data: '0600FF' });
    for (const client of [one, both]) {
      const samples: SampleRecord[] = (await client.take(2)).map(({ data }) => data);
      expect(samples.map(({ value }) => value)).toEqual(['6', '255']);
    }
    await bench.deletePlan(engine);
    await one.ended;
    await bench.transmit({ id: 257, data: '07' });
    expect((await both.next()).data).toMatchObject({ plan_id: body, value: '7' });
    await bench.deletePlan(body);
    await both.ended;
  });

  it('is refused where there is no plan at all', async () => {
    const bench = await setUpSignalBench();
    const answer = await bench.get(`${api}/signals/stream`);
    expect(refusedOverHttp(answer)).toMatchObject({ status: 404, code: 'plan_not_found' });
    const failure = await bench.failure('signal', 'watch');
    expect(failure).toMatchObject({ exit: 1, code: 'plan_not_found', stdout: '' });
  });

  it('ends with the Web service', async () => {
    const { bench } = await prepare();
    const client = await bench.stream('');
    await bench.ask(['web', 'stop']);
    await client.ended;
  });

  it('goes on when the channel is closed, for what is kept', async () => {
    const { bench, engine } = await prepare();
    await bench.transmit({ id: 256, data: '0500FF' });
    await bench.decoded(engine, 1);
    await bench.remove('engine');
    const client = await bench.stream(`plan=${engine}&after=0`);
    expect((await client.take(2)).map(({ data }) => data.value)).toEqual(['5', '255']);
  });

  it('is one of 32 of its kind, together with those of raw events', async () => {
    const { bench, engine } = await prepare();
    const { port } = bench;
    const samples = range(1, 20).map(() => bench.stream(`plan=${engine}`));
    const events = range(1, 12).map(() => SseClient.open({ port }));
    const clients = await Promise.all([...samples, ...events]);
    expect(clients.map(({ status }) => status)).toEqual(Array(32).fill(200));
    for (const path of ['signals/stream', 'messages/stream']) {
      const answer = await bench.get(`${api}/${path}`);
      expect(refusedOverHttp(answer)).toMatchObject({ status: 503, code: 'too_many_clients' });
    }
    await bench.transmit({ id: 256, data: '0900FF' });
    for (const client of clients.slice(0, 20)) {
      expect((await client.take(2)).map(({ data }) => data.value)).toEqual(['9', '255']);
    }
    clients[0]?.close();
    await eventually(async () => (await bench.stream(`plan=${engine}`)).status === 200);
  });
});
