import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { SampleHub } from '../../signal/live/sample-hub.ts';
import { LiveBench } from '../../signal/live/testing/live-bench.ts';
import { aMessage, aSignal } from '../../signal/testing/models.ts';
import { sampleEncoder } from './sample-stream.ts';
import { answerWithEvents, SseBody } from './sse-body.ts';
import { followStream, idsIn } from './testing/followed-stream.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const serve = async (after: number | null = 0) => {
  const bench = new LiveBench();
  const clock = new FakeClock();
  const hub = new SampleHub({ plans: bench.set, clock });
  bench.plan(aMessage([aSignal()]), { history: 10 });
  const scratch = new ScratchPool();
  const listening = createServer((_request, response) => {
    const body = new SseBody(scratch);
    const choices = bench.set.choose(['p1'], null);
    hub.subscribe({ choices, after, sink: body.sink(sampleEncoder) });
    answerWithEvents(response, body, { clock, headers: {}, greeting: 'samples follow' });
  });
  server = listening;
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const frames = (count: number) => {
    for (let at = 0; at < count; at++) bench.frame([at]);
    hub.wake();
  };
  return { bench, clock, hub, frames, port: (listening.address() as AddressInfo).port };
};

describe('samples as server-sent events', () => {
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
});
