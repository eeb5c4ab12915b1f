import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { YieldQueue } from '../../base/clock/yield-queue.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { codeOf, type RawClient } from './testing/raw-client.ts';
import { SampleService } from './testing/sample-service.ts';
import { TestServer } from './testing/test-server.ts';

let http: TestServer;
let service: SampleService;

let turnsTaken: number;

beforeEach(async () => {
  service = new SampleService();
  turnsTaken = 0;
  const turns = new YieldQueue((work) => {
    turnsTaken++;
    setImmediate(work);
  });
  const { operations, dispatcher } = service;
  http = await TestServer.start({ operations, dispatcher, turns });
});

afterEach(() => http.close());

const head = (line: string, ...headers: string[]): string =>
  `${[`${line} HTTP/1.1`, `Host: 127.0.0.1:${http.port}`, ...headers].join('\r\n')}\r\n\r\n`;

const json = 'Content-Type: application/json';

/** Once it is answered, the server has processed everything before it. */
const otherIsServed = async (): Promise<void> => {
  const other = http.connect().request('GET /api/v1/parts');
  expect((await other.response()).status).toBe(200);
  other.leave();
};

const bodies = async (client: RawClient, count: number): Promise<unknown[]> => {
  const found: unknown[] = [];
  while (found.length < count) found.push(JSON.parse((await client.response()).body));
  return found;
};

describe('requests that a client sends without waiting for answers', () => {
  it('are begun one after the other', async () => {
    const client = http.connect().send(head('GET /api/v1/hold').repeat(3));
    for (const turn of [1, 2, 3]) {
      await eventually(() => service.held.length === turn);
      await otherIsServed();
      expect(service.held).toHaveLength(turn);
      service.held[turn - 1]?.resolve(turn);
      expect((await client.response()).body).toBe(String(turn));
    }
  });

  it('are answered in order, all of them, while others are served in between', async () => {
    const count = 300;
    const requests = Array.from({ length: count }, (_, n) =>
      head(`GET /api/v1/parts?min_mass=${n + 1}`),
    );
    const client = http.connect().send(requests.join(''));
    await client.response();
    await otherIsServed();
    // It did not wait for all of them.
    const before = http.counted.filter((line) => line === 'GET /api/v1/parts 200').length;
    expect(before).toBeLessThan(count / 2);
    const rest = await bodies(client, count - 1);
    expect(rest).toEqual(
      Array.from({ length: count - 1 }, (_, n) => ({ limit: 10, spare: false, min_mass: n + 2 })),
    );
  });

  it('wait as long as an answer is not fetched', async () => {
    // More than the system buffers.
    const [count, size] = [400, 256 * 1024];
    const client = (await http.connect().connected()).stall();
    client.send(head(`GET /api/v1/fill?size=${size}`).repeat(count));
    const answered = () => http.counted.filter((line) => line.includes('/fill')).length;
    await eventually(() => answered() > 0);
    let before = 0;
    while (before !== answered()) {
      before = answered();
      await otherIsServed();
      await otherIsServed();
    }
    expect(before).toBeLessThan(count / 4);
    client.resume();
    expect((await client.response()).body).toHaveLength(size + 2);
    await eventually(() => answered() > before);
  });

  it('may have bodies, with blank lines in them or in chunks, and arrive in any pieces', async () => {
    const text = JSON.stringify({ note: 'a\r\n\r\nGET / HTTP/1.1\r\n\r\n' });
    const move = '{"store":"left","note":"\\r\\n"}';
    const chunked = `5\r\n${move.slice(0, 5)}\r\n${(move.length - 5).toString(16)}\r\n${move.slice(5)}\r\n0\r\n\r\n`;
    const pipeline = [
      head('POST /api/v1/parts/1/moves', json, `Content-Length: ${move.length}`) + move,
      head('GET /api/v1/parts'),
      head('POST /api/v1/parts/2/moves', json, 'Transfer-Encoding: chunked') + chunked,
      // Rejected by its path, before the body is read.
      head('POST /api/v1/nothing', json, `Content-Length: ${text.length}`) + text,
      '\r\n',
      head('HEAD /api/v1/parts'),
      head('GET /api/v1/parts/3'),
    ].join('');
    for (const step of [pipeline.length, 64, 7, 1]) {
      const client = http.connect();
      for (let at = 0; at < pipeline.length; at += step) client.send(pipeline.slice(at, at + step));
      const methods = ['POST', 'GET', 'POST', 'POST', 'HEAD', 'GET'];
      const statuses: number[] = [];
      for (const method of methods) statuses.push((await client.response(method)).status);
      expect(statuses, `in pieces of ${step}`).toEqual([201, 200, 201, 404, 200, 200]);
      client.leave();
    }
  });

  it('wait for one whose chunked body ends anywhere in a piece', async () => {
    const post = head('POST /api/v1/act', json, 'Transfer-Encoding: chunked');
    // The last chunk begins before, at and after the end of a piece of 1 KiB.
    for (let padding = 1000; padding < 1024; padding++) {
      const body = `{${' '.repeat(padding)}}`;
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      http.connect().send(post + chunks + head('GET /api/v1/hold'));
    }
    await eventually(() => http.logged('route').length === 24);
    await otherIsServed();
    expect(service.held).toEqual([]);
  });

  it('are logged and counted once each', async () => {
    const client = http.connect().send(head('GET /api/v1/parts').repeat(20));
    await bodies(client, 20);
    await eventually(() => http.counted.length === 20);
    expect(http.logged('request')).toHaveLength(20);
    expect(http.server.clients).toBe(1);
  });

  it('are not begun behind one that asks to close the connection', async () => {
    const requests = [head('GET /api/v1/parts', 'Connection: close'), head('GET /api/v1/hold')];
    const client = http.connect().send(requests.join(''));
    expect((await client.response()).headers.connection).toBe('close');
    expect(await client.dismissed()).toBe('');
    expect(service.held).toEqual([]);
  });

  it('are refused in their place where they are malformed, and nothing behind them is begun', async () => {
    const client = http.connect();
    client.send(`${head('GET /api/v1/hold')}no HTTP at all\r\n\r\n${head('GET /api/v1/hold')}`);
    await eventually(() => service.held.length === 1);
    await otherIsServed();
    service.held[0]?.resolve('first');
    expect((await client.response()).body).toBe('"first"');
    const refused = await client.response();
    expect([refused.status, codeOf(refused)]).toEqual([400, 'invalid_argument']);
    expect(await client.dismissed()).toBe('');
    expect(service.held).toHaveLength(1);
  });

  it('are all answered to a client that says it will send nothing more', async () => {
    const client = http.connect().send(head('GET /api/v1/parts').repeat(50)).finish();
    expect(await bodies(client, 50)).toHaveLength(50);
    expect(await client.dismissed()).toBe('');
  });

  it('are not begun when the server is closed', async () => {
    const client = http.connect().send(head('GET /api/v1/hold').repeat(3));
    await eventually(() => service.held.length === 1);
    const closed = http.server.close();
    service.held[0]?.resolve('late');
    await closed;
    await client.dismissed();
    expect(service.held).toHaveLength(1);
  });

  it('are forgotten when the client leaves', async () => {
    const client = http.connect().send(head('GET /api/v1/hold').repeat(3));
    await eventually(() => service.held.length === 1);
    client.leave();
    await eventually(() => http.server.clients === 0);
    service.held[0]?.resolve('late');
    await otherIsServed();
    expect(service.held).toHaveLength(1);
  });

  it('may end in an upgrade, which gets what was sent behind it', async () => {
    const client = http.connect();
    const upgrade = head('GET /api/v1/parts', 'Connection: Upgrade', 'Upgrade: h2c');
    client.send(head('GET /api/v1/parts').repeat(3) + upgrade + head('GET /api/v1/hold'));
    await bodies(client, 3);
    // The offer is declined with an ordinary response, the last one.
    expect((await client.response()).status).toBe(200);
    expect(await client.dismissed()).toBe('');
    expect(service.held).toEqual([]);
  });
});

describe('a body in chunks of one byte', () => {
  const move = `{"store":"left","note":"${'x'.repeat(10_000)}"}`;
  const chunks = [...move].map((byte) => `1\r\n${byte}\r\n`).join('');
  const post = () => head('POST /api/v1/parts/1/moves', json, 'Transfer-Encoding: chunked');

  it('is taken in many turns, and as a whole', async () => {
    const client = http.connect().send(`${post()}${chunks}0\r\n\r\n${head('GET /api/v1/parts')}`);
    expect((await client.response()).status).toBe(201);
    expect(turnsTaken).toBeGreaterThan(move.length / 1000);
    expect((await client.response()).status).toBe(200);
  });

  it('is taken as a whole from a client that says it will send nothing more', async () => {
    const client = http.connect().send(`${post()}${chunks}0\r\n\r\n`).finish();
    expect((await client.response()).status).toBe(201);
    expect(await client.dismissed()).toBe('');
  });

  it('is refused as soon as it is too large, and the rest is not looked at', async () => {
    const client = http.connect().send(post() + chunks.repeat(20));
    const refused = await client.response();
    expect([refused.status, codeOf(refused)]).toEqual([413, 'payload_too_large']);
    expect(JSON.parse(refused.body).error.details).toEqual({ limit: 64 * 1024 });
  });
});

describe('requests of many connections at once', () => {
  it('are begun at once where they are short, and in turns where they are long', async () => {
    const connections = 20;
    const note = 'x'.repeat(4000);
    const started = async (request: string): Promise<number> => {
      const clients = Array.from({ length: connections }, () => http.connect());
      await Promise.all(clients.map((client) => client.connected()));
      turnsTaken = 0;
      for (const client of clients) client.send(request);
      for (const client of clients) expect((await client.response()).status).toBe(200);
      return turnsTaken;
    };
    expect(await started(head('GET /api/v1/parts'))).toBe(0);
    expect(await started(head('GET /api/v1/parts', `X-Note: ${note}`))).toBe(connections);
  });

  it('take a turn for the last byte of a long body, too', async () => {
    const move = `{"store":"left","note":"${'x'.repeat(4000)}"}`;
    const client = await http.connect().connected();
    client.send(head('POST /api/v1/parts/1/moves', json, `Content-Length: ${move.length}`));
    client.send(move.slice(0, -1));
    await otherIsServed();
    turnsTaken = 0;
    client.send(move.slice(-1));
    expect((await client.response()).status).toBe(201);
    expect(turnsTaken).toBeGreaterThan(0);
  });
});
