import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { eventually } from '../../base/testing/eventually.ts';
import type { SubscribeEventsOptions } from '../../broker/reader-hub.ts';
import { HubBench } from '../../broker/testing/hub-bench.ts';
import { eventEncoder } from './event-stream.ts';
import { answerWithEvents, SseBody } from './sse-body.ts';
import { followStream, idsIn } from './testing/followed-stream.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const serve = async (options: Partial<SubscribeEventsOptions> = {}) => {
  const bench = new HubBench();
  const ring = bench.open(0);
  const refusals: unknown[] = [];
  const scratch = new ScratchPool();
  const listening = createServer((request, response) => {
    if (request.url === '/plain') {
      setImmediate(() => response.end('plain'));
      return;
    }
    try {
      const body = new SseBody(scratch);
      const sink = body.sink(eventEncoder(5, (slot) => `SIM00001/${slot}`));
      bench.hub.subscribe({ channels: [0], after: 0, capacity: 10, ...options, sink });
      const headers = { 'x-request-id': 'r-1' };
      answerWithEvents(response, body, { clock: bench.clock, headers, greeting: 'events follow' });
    } catch (thrown) {
      refusals.push(thrown);
      response.writeHead(409).end();
    }
  });
  server = listening;
  Object.assign(listening, { httpAllowHalfOpen: true });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return { bench, ring, refusals, port: (listening.address() as AddressInfo).port };
};

describe('an answer with server-sent events', () => {
  it('answers at once, with the headers of a stream and those given', async () => {
    const { port } = await serve();
    const { response, body } = await followStream(port);
    expect([response.statusCode, response.headers]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-request-id': 'r-1',
      }),
    ]);
    await eventually(() => body.text === ': events follow\n\n');
  });

  it('streams past and new events as JSON', async () => {
    const { bench, ring, port } = await serve();
    ring.publish(2);
    const { body } = await followStream(port);
    ring.publish(1);
    bench.settle();
    await eventually(() => idsIn(body.text).length === 3);
    expect(idsIn(body.text)).toEqual(['1', '2', '3']);
    const [, , last] = [...body.text.matchAll(/^event: message\ndata: (.*)$/gm)];
    expect(JSON.parse(last?.[1] ?? '')).toMatchObject({
      event_id: 3,
      stream_epoch: 5,
      selector: 'SIM00001/0',
    });
  });

  it('tells first that a cursor has expired, and where to resume', async () => {
    const { ring, port } = await serve({ after: 5 });
    ring.publish(20);
    const { body } = await followStream(port);
    await eventually(() => idsIn(body.text).length === 11);
    expect(body.text).toContain(
      'id: 10\nevent: gap\ndata: {"oldest_available":11,"newest_available":20,"missed":null}\n\nid: 11\n',
    );
  });

  it('shows every 15 seconds that it is alive', async () => {
    const { bench, port } = await serve();
    const { body } = await followStream(port);
    bench.clock.advanceUs(30_000_000);
    await eventually(() => body.text.endsWith(': keep-alive\n\n: keep-alive\n\n'));
  });

  it('ends a whole answer when its channel is closed', async () => {
    const { bench, ring, port } = await serve();
    const { response, body } = await followStream(port);
    ring.publish(1);
    bench.close(ring);
    await eventually(() => body.hasEnded);
    expect([response.complete, idsIn(body.text)]).toEqual([true, ['1']]);
    await eventually(() => bench.clock.pendingTimers === 0);
  });

  it('lets go of a client that leaves', async () => {
    const { bench, port } = await serve();
    const { request } = await followStream(port);
    expect(bench.hub.consumersOf(0)).toHaveLength(1);
    request.destroy();
    await eventually(() => bench.hub.consumersOf(0).length === 0);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('ends for a client that will send nothing more', async () => {
    const { bench, port } = await serve();
    const { request } = await followStream(port);
    request.socket?.end();
    await eventually(() => bench.hub.consumersOf(0).length === 0);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('leaves the answer to others when nothing can be subscribed to', async () => {
    const { refusals, port } = await serve({ channels: [5] });
    const { response } = await followStream(port);
    expect(response.statusCode).toBe(409);
    expect(refusals).toEqual([expect.objectContaining({ code: 'channel_not_open' })]);
  });

  it('waits for its turn behind another answer on the same connection', async () => {
    const { ring, port } = await serve();
    ring.publish(1);
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.write('GET /plain HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => text.includes('id: 1\n'));
    expect(text.match(/plain|text\/event-stream|events follow|id: 1/g)).toEqual([
      'plain',
      'text/event-stream',
      'events follow',
      'id: 1',
    ]);
    socket.destroy();
  });

  it('does without chunks where the client does not know them', async () => {
    const { bench, ring, port } = await serve();
    ring.publish(1);
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    const closed = once(socket, 'close');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    await eventually(() => text.includes('id: 1\n'));
    bench.close(ring);
    await closed;
    const [, body] = text.split('\r\n\r\n');
    expect(body).toMatch(/^: events follow\n\nid: 1\nevent: message\ndata: \{.*\}\n\n$/);
  });
});
