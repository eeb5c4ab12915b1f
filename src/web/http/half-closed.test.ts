import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { probeHalfClosed } from './connections.ts';
import type { RawClient } from './testing/raw-client.ts';
import { SampleService } from './testing/sample-service.ts';
import { TestServer } from './testing/test-server.ts';

let http: TestServer;
let service: SampleService;

beforeEach(async () => {
  service = new SampleService();
  http = await TestServer.start(service);
});

afterEach(() => http.close());

const json = { 'Content-Type': 'application/json' };

/** A client that waits for the response of `hold`. */
const waiting = async (requests = 1): Promise<RawClient> => {
  const client = http.connect();
  for (let count = 0; count < requests; count++) client.request('GET /api/v1/hold');
  await eventually(() => service.held.length === 1);
  return client;
};

describe('a client that will send nothing more, and reads', () => {
  it.each([
    ['a GET', 'GET /api/v1/parts', '', 200],
    ['a long answer', 'GET /api/v1/fill?size=1000000', '', 200],
    ['a console file', 'GET /', '', 200],
    ['a POST', 'POST /api/v1/ping', '{}', 202],
    ['a body that waits for its turn', 'POST /api/v1/ping', `{${' '.repeat(5000)}}`, 202],
    ['a refusal', 'GET /api/v1/nothing', '', 404],
  ])('is answered %s, and hung up on', async (_, line, body, status) => {
    const client = http
      .connect()
      .request(line, body === '' ? {} : json, body)
      .finish();
    expect((await client.response()).status).toBe(status);
    expect(await client.dismissed()).toBe('');
    await eventually(() => http.server.clients === 0);
  });

  it('is answered what takes long, and sees nothing before that', async () => {
    const client = (await waiting()).finish();
    await pause(500);
    service.held[0]?.resolve('late');
    const { status, headers, body } = await client.response();
    expect([status, headers.connection, body]).toEqual([200, 'close', '"late"']);
    expect(service.signals[0]?.aborted).toBe(false);
    expect(await client.dismissed()).toBe('');
  });

  it('is answered everything that it has asked for', async () => {
    const client = (await waiting(3)).finish();
    for (const number of [0, 1, 2]) {
      await eventually(() => service.held.length > number);
      service.held[number]?.resolve(number);
      expect((await client.response()).body).toBe(String(number));
    }
    expect(await client.dismissed()).toBe('');
  });

  it('is hung up on at once where it waits for nothing', async () => {
    const client = http.connect().request('GET /api/v1/parts');
    await client.response();
    expect(await client.finish().dismissed()).toBe('');
    await eventually(() => http.server.clients === 0);
  });

  it('is told that half a request is none', async () => {
    const client = http
      .connect()
      .send('POST /api/v1/ping HTTP/1.1\r\nHost: x\r\nContent-Le')
      .finish();
    expect((await client.response()).status).toBe(400);
    expect(await client.dismissed()).toBe('');
  });
});

describe('a client that leaves while something is carried out for it', () => {
  it.each([
    ['by closing its connection', (client: RawClient) => client.leave()],
    ['by a reset', (client: RawClient) => client.reset()],
    ['after it has ended its sending side', (client: RawClient) => client.finish().leave()],
  ])('%s is missed, and its call cancelled', async (_, leave) => {
    leave(await waiting());
    await eventually(() => service.signals[0]?.aborted === true);
    await eventually(() => http.server.clients === 0);
  });

  it('is missed long after it has ended its sending side', async () => {
    const client = (await waiting()).finish();
    await pause(400);
    expect(service.signals[0]?.aborted).toBe(false);
    client.leave();
    await eventually(() => service.signals[0]?.aborted === true);
  });
});

/** A half-closed connection with another computer, whose request is in progress. */
class DistantCall extends EventEmitter {
  readonly clock = new FakeClock();
  readonly req = { httpVersionMinor: 1 };
  readonly remoteAddress = '192.0.2.7';
  readonly remotePort = 50_000;
  readonly localAddress = '192.0.2.1';
  readonly localPort = 8080;
  headersSent = false;
  closed = false;
  probes = 0;

  writeContinue(): void {
    this.probes++;
  }

  destroy(): never {
    throw new Error('Nothing has shown that it left');
  }

  async afterSeconds(seconds: number): Promise<number> {
    for (let step = 0; step < 10 * seconds; step++) {
      this.clock.advanceUs(100_000);
      await pause(0);
    }
    return this.probes;
  }
}

describe('a client of another computer that will send nothing more', () => {
  it('gets interim responses, fewer and fewer, until its answer begins', async () => {
    const call = new DistantCall();
    probeHalfClosed(call as never, call as never, call.clock);
    expect(await call.afterSeconds(1)).toBe(3);
    expect(await call.afterSeconds(10)).toBe(13);
    call.headersSent = true;
    expect(await call.afterSeconds(5)).toBe(13);
    expect(call.clock.pendingTimers).toBe(0);
  });

  it('gets none where it speaks HTTP/1.0', async () => {
    const call = new DistantCall();
    call.req.httpVersionMinor = 0;
    probeHalfClosed(call as never, call as never, call.clock);
    expect(await call.afterSeconds(5)).toBe(0);
  });

  it('is no longer looked after once its connection is closed', () => {
    const call = new DistantCall();
    probeHalfClosed(call as never, call as never, call.clock);
    call.emit('close');
    expect(call.clock.pendingTimers).toBe(0);
  });
});
