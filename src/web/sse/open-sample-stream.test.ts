import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/fake-clock.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { SampleHub } from '../../signal/live/sample-hub.ts';
import { LiveBench } from '../../signal/live/testing/live-bench.ts';
import { aMessage, aSignal } from '../../signal/testing/models.ts';
import { openSampleStream } from './open-sample-stream.ts';
import { followStream, idsIn } from './testing/followed-stream.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const serve = async (after: number | null = 0, planId = 'p1') => {
  const bench = new LiveBench();
  const clock = new FakeClock();
  const hub = new SampleHub({ plans: bench.set, clock });
  bench.plan(aMessage([aSignal()]), { history: 10 });
  const refusals: unknown[] = [];
  const scratch = new ScratchPool();
  const listening = createServer((request, response) => {
    if (request.url === '/plain') {
      setImmediate(() => response.end('plain'));
      return;
    }
    try {
      openSampleStream(response, {
        clock,
        scratch,
        headers: { 'x-request-id': 'r-1' },
        subscribe: (outlet) =>
          hub.subscribe({ choices: bench.set.choose([planId], null), after, outlet }),
      });
    } catch (thrown) {
      refusals.push(thrown);
      response.writeHead(404).end();
    }
  });
  server = listening;
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const frames = (count: number) => {
    for (let at = 0; at < count; at++) bench.frame([at]);
    hub.wake();
  };
  return { bench, clock, hub, frames, refusals, port: (listening.address() as AddressInfo).port };
};

describe('openSampleStream', () => {
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
    await eventually(() => body.text === ': samples follow\n\n');
  });

  it('streams past and new samples, and first tells that a cursor has expired', async () => {
    const { clock, frames, port } = await serve(5);
    frames(20);
    const { body } = await followStream(port);
    await eventually(() => idsIn(body.text).length === 11);
    expect(body.text).toContain(
      'id: 10\nevent: gap\ndata: {"oldest_available":11,"newest_available":20,"missed":null}\n\nid: 11\n',
    );
    frames(1);
    clock.advanceUs(20_000);
    await eventually(() => idsIn(body.text).at(-1) === '21');
    const last = [...body.text.matchAll(/^event: sample\ndata: (.*)$/gm)].at(-1);
    expect(JSON.parse(last?.[1] ?? '')).toMatchObject({ plan_id: 'p1', sequence: 21, raw: '0' });
  });

  it('shows every 15 seconds that it is alive', async () => {
    const { clock, port } = await serve();
    const { body } = await followStream(port);
    clock.advanceUs(30_000_000);
    await eventually(() => body.text.endsWith(': keep-alive\n\n: keep-alive\n\n'));
  });

  it('ends a whole answer when its plan is removed', async () => {
    const { bench, clock, frames, port } = await serve();
    const { response, body } = await followStream(port);
    frames(1);
    bench.set.remove('p1');
    await eventually(() => body.hasEnded);
    expect([response.complete, idsIn(body.text)]).toEqual([true, ['1']]);
    await eventually(() => clock.pendingTimers === 0);
  });

  it('lets go of a client that leaves', async () => {
    const { clock, hub, port } = await serve();
    const { request } = await followStream(port);
    expect(hub.streams).toBe(1);
    request.destroy();
    await eventually(() => hub.streams === 0 && clock.pendingTimers === 0);
  });

  it('leaves the answer to others when nothing can be subscribed to', async () => {
    const { refusals, port } = await serve(null, 'p9');
    const { response } = await followStream(port);
    expect(response.statusCode).toBe(404);
    expect(refusals).toEqual([expect.objectContaining({ code: 'plan_not_found' })]);
  });

  it('waits for its turn behind another answer on the same connection', async () => {
    const { frames, port } = await serve();
    frames(1);
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.write('GET /plain HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => text.includes('id: 1\n'));
    expect(text.match(/plain|text\/event-stream|samples follow|id: 1/g)).toEqual([
      'plain',
      'text/event-stream',
      'samples follow',
      'id: 1',
    ]);
    socket.destroy();
  });
});
