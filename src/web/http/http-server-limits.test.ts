import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock/clock.ts';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { eventually } from '../../base/testing/eventually.ts';
import type { HttpTimeouts } from './http-server.ts';
import { securityHeaders } from './response.ts';
import { codeOf, type RawClient, type RawResponse } from './testing/raw-client.ts';
import { SampleService } from './testing/sample-service.ts';
import { TestServer } from './testing/test-server.ts';

const endless = 60_000;
const generous: HttpTimeouts = {
  headers: endless,
  request: endless,
  keepAlive: endless,
  idle: endless,
};

let http: TestServer;
let service: SampleService;

const start = async (
  options: { clients?: number; timeouts?: HttpTimeouts; clock?: Clock } = {},
): Promise<void> => {
  service = new SampleService();
  http = await TestServer.start({ ...service, timeouts: generous, ...options });
};

afterEach(() => http.close());

/** A client with a completed request, so that the server knows it. */
const served = async (): Promise<RawClient> => {
  const client = http.connect().request('GET /api/v1/parts');
  expect((await client.response()).status).toBe(200);
  return client;
};

describe('the limit of clients', () => {
  it('refuses one more with the reason and hangs up on it', async () => {
    await start({ clients: 2 });
    const clients = [await served(), await served()];
    expect(http.server.clients).toBe(2);
    const late = http.connect().request('GET /api/v1/parts');
    const response = await late.response();
    expect(response.status).toBe(503);
    expect(codeOf(response)).toBe('too_many_clients');
    expect(JSON.parse(response.body).error).toMatchObject({
      retryable: true,
      details: { limit: 2 },
    });
    expect(response.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    expect(await late.dismissed()).toBe('');
    // Clients within the limit are served as before.
    for (const client of clients) {
      expect((await client.request('GET /api/v1/parts').response()).status).toBe(200);
    }
  });

  it.each([
    ['for a console file', 'GET /'],
    ['for nothing', 'GET /api/v1/nothing'],
    ['that is no percent-encoding', 'GET /api/v1/parts/%zz'],
  ])('holds for a request %s too', async (_, line) => {
    await start({ clients: 1 });
    await served();
    const late = http.connect().request(line);
    expect(codeOf(await late.response())).toBe('too_many_clients');
    await late.dismissed();
  });

  it('holds for an upgrade too', async () => {
    await start({ clients: 1 });
    await served();
    const late = http.connect();
    late.request('GET /api/v1/parts', { Connection: 'Upgrade', Upgrade: 'websocket' });
    expect(codeOf(await late.response())).toBe('too_many_clients');
  });

  it('lets others in as soon as a client leaves', async () => {
    await start({ clients: 2 });
    const [first] = [await served(), await served()];
    const refused = http.connect().request('GET /api/v1/parts');
    expect((await refused.response()).status).toBe(503);
    first?.leave();
    await eventually(() => http.server.clients === 1);
    await served();
    expect(http.server.clients).toBe(2);
  });

  it('recovers from a flood', async () => {
    await start({ clients: 2 });
    const flood = Array.from({ length: 40 }, () => http.connect().request('GET /api/v1/parts'));
    const statuses = await Promise.all(
      flood.map((client) =>
        client.response().then(
          ({ status }) => status,
          () => 'dropped',
        ),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    const refused = statuses.filter((status) => status !== 200);
    expect(refused.every((status) => status === 503 || status === 'dropped')).toBe(true);
    for (const client of flood) client.leave();
    await eventually(() => http.server.clients === 0);
    await served();
  });
});

describe('the time-outs of a request', () => {
  const hasty = { ...generous, headers: 50, request: 100 };

  const expectTimeout = async (client: RawClient): Promise<void> => {
    const response = await client.response();
    expect(response.status).toBe(408);
    expect(JSON.parse(response.body)).toMatchObject({
      error: { code: 'request_timeout', retryable: true },
      request_id: response.headers['x-request-id'],
    });
    expect(response.headers).toMatchObject({ ...securityHeaders, connection: 'close' });
    expect(await client.dismissed()).toBe('');
  };

  it.each([
    ['never begins', ''],
    ['never ends its first line', 'GET /api/v1/pa'],
    ['never ends its headers', 'GET /api/v1/parts HTTP/1.1\r\nHost: x\r\nX-More: '],
  ])('ends for one that %s', async (_, bytes) => {
    await start({ timeouts: { ...generous, headers: 50 } });
    const client = await http.connect().connected();
    if (bytes !== '') client.send(bytes);
    await expectTimeout(client);
  });

  const unfinished = { 'Content-Type': 'application/json', 'Content-Length': '100' };

  it('ends for one that never ends its body', async () => {
    await start({ timeouts: hasty });
    const client = http.connect();
    client.request('POST /api/v1/parts/p1/moves', unfinished).send('{"store":');
    await expectTimeout(client);
  });

  it('ends for one that sends its body in drops', async () => {
    await start({ timeouts: hasty });
    const client = http.connect();
    client.request('POST /api/v1/parts/p1/moves', unfinished);
    const drip = setInterval(() => client.send(' '), 5);
    await expectTimeout(client).finally(() => clearInterval(drip));
  });

  it.each([
    ['headers come', (client: RawClient) => client.send('GET / HTTP/1.1\r\nX-More: ')],
    [
      'a body comes',
      (client: RawClient) => client.request('POST /api/v1/parts/p1/moves', unfinished).send('{'),
    ],
  ])('is counted and logged once where %s without end', async (_, begin) => {
    await start({ timeouts: hasty });
    const client = http.connect();
    begin(client);
    await expectTimeout(client);
    client.leave();
    await eventually(() => http.server.clients === 0);
    // A request of another client is served in full while the first is still incomplete, unless
    // the machine was paused for longer than its time limit.
    const statuses = [408];
    while (statuses.at(-1) !== 200) {
      const other = http.connect().request('GET /', { Connection: 'close' });
      statuses.push((await other.response()).status);
      await other.dismissed();
    }
    await eventually(() => http.logged('request').some(({ status }) => status === 200));
    expect(http.logged('request').map(({ status }) => status)).toEqual(statuses);
    expect(http.counted.sort()).toEqual([
      'GET none 200',
      ...statuses.slice(1).map(() => 'other none 408'),
    ]);
  });

  /** The response to a request in progress. */
  const heldResponse = async (): Promise<{ readonly response: Promise<RawResponse> }> => {
    const response = http.connect().request('GET /api/v1/hold').response();
    let isRefused = false;
    void response.then(() => {
      isRefused = true;
    });
    await eventually(() => service.held.length === 1 || isRefused);
    // A pause of the machine may exceed its time limit before it is read.
    return isRefused ? heldResponse() : { response };
  };

  it('does not end while the server itself takes its time', async () => {
    await start({ timeouts: hasty });
    const { response } = await heldResponse();
    // When another client has timed out, this one would have, too.
    await expectTimeout(await http.connect().connected());
    service.held[0]?.resolve('at last');
    expect((await response).body).toBe('"at last"');
  });
});

describe('the time-outs of a connection', () => {
  it('ends when no further request comes', async () => {
    await start({ timeouts: { ...generous, keepAlive: 1 } });
    const client = await served();
    expect(await client.dismissed()).toBe('');
  });

  it('ends when nothing moves any more', async () => {
    await start({ timeouts: { ...generous, idle: 50 } });
    const client = http.connect().request('GET /api/v1/hold');
    expect(await client.dismissed()).toBe('');
    await eventually(() => http.server.clients === 0);
  });
});

describe('closing', () => {
  it('hangs up on all clients when the time for the last answers is over', async () => {
    const clock = new FakeClock();
    await start({ clock });
    const idle = await served();
    const waiting = http.connect().request('GET /api/v1/hold');
    const talking = http.connect().send('GET / HT');
    const silent = await http.connect().connected();
    await eventually(() => service.held.length === 1 && http.server.clients === 4);
    const closed = http.server.close();
    expect(clock.pendingTimers).toBe(1);
    clock.advanceUs(2_000_000);
    await closed;
    for (const client of [idle, waiting, talking, silent]) {
      expect(await client.dismissed()).toBe('');
    }
    expect(http.server.clients).toBe(0);
  });

  it('waits until the last answer has left', async () => {
    await start({ clock: new FakeClock() });
    const waiting = http.connect().request('GET /api/v1/hold');
    const uploading = http.connect().request('POST /api/v1/ping', { 'Content-Length': '9' });
    await eventually(() => service.held.length === 1 && http.logged('route').length === 2);
    const closed = http.server.close();
    service.held[0]?.resolve('late');
    const answer = await waiting.response();
    expect([answer.status, answer.body]).toEqual([200, '"late"']);
    expect(answer.headers.connection).toBe('close');
    await closed;
    for (const client of [waiting, uploading]) expect(await client.dismissed()).toBe('');
  });

  it('cancels calls whose requests have arrived but are not carried out yet', async () => {
    await start({ clock: new FakeClock() });
    const closed = new Deferred<Promise<void>>();
    // The route is logged with the headers. In the next tick the body has arrived, but is not read.
    http.onLogged = ({ event }) => {
      if (event === 'route') process.nextTick(() => closed.resolve(http.server.close()));
    };
    const client = http.connect();
    client.request('POST /api/v1/act', { 'Content-Type': 'application/json' }, '{}');
    expect(await client.response()).toMatchObject({ status: 200, body: '"web_stopped"' });
    await closed.promise;
  });

  it('leaves no listener behind', async () => {
    await start();
    await http.server.close();
    const late = http.connect().request('GET /');
    await expect(late.response()).rejects.toThrow('The server hung up after: ');
  });

  it('does not wait for those who come while it closes', async () => {
    await start();
    const callers = Array.from({ length: 10 }, () => http.connect().send('GET / HT'));
    const closing = http.server.close();
    callers.push(...Array.from({ length: 10 }, () => http.connect().send('GET / HT')));
    await closing;
    for (const client of callers) expect(await client.dismissed()).toBe('');
  });

  it('can be asked for twice', async () => {
    await start();
    await Promise.all([http.server.close(), http.server.close()]);
    await http.server.close();
    expect(http.server.clients).toBe(0);
  });
});
