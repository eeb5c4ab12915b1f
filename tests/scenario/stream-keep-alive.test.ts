import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually } from '../support/workbench.ts';
import { StreamServer } from './support/stream-server.ts';

describe('a stream of server-sent events on which nothing happens', () => {
  it('shows every 15 seconds that it lives, and loses nothing by it', async () => {
    const server = await StreamServer.start();
    const ring = server.bench.open(0);
    const client = await SseClient.open({ port: server.port });
    await eventually(() => client.comments.length === 1);
    server.advance(14.8);
    ring.publish(1);
    server.bench.settle();
    expect((await client.next()).data.event_id).toBe(1);
    expect(client.comments).toHaveLength(1);
    server.advance(0.1);
    await eventually(() => client.comments.length === 2);
    expect(client.comments).toEqual([': events follow', ': keep-alive']);
    server.advance(60);
    await eventually(() => client.comments.length === 6);
  });

  it('keeps no clock running once its client has gone', async () => {
    const server = await StreamServer.start();
    await eventually(() => server.server.clients === 0);
    const before = server.bench.clock.pendingTimers;
    const client = await SseClient.open({ port: server.port });
    await eventually(() => client.comments.length === 1);
    expect(server.bench.clock.pendingTimers).toBe(before + 1);
    client.close();
    await eventually(() => server.bench.clock.pendingTimers === before);
  });
});

describe('a frame stream on which nothing happens', () => {
  it('pings every 30 seconds, and stays with a client that answers', async () => {
    const server = await StreamServer.start();
    const ring = server.bench.open(0);
    const client = await FrameClient.open({ port: server.port });
    for (let beat = 0; beat < 4; beat++) {
      const ping = once(client.socket, 'ping');
      server.advance(30);
      await ping;
      // The response arrives before the next beat, followed by an event.
      const pong = once(client.socket, 'pong');
      client.socket.ping();
      await pong;
    }
    ring.publish(1);
    server.bench.settle();
    expect(await client.next()).toMatchObject({ record: { eventId: 1 } });
  });

  it('cuts a client that gives no sign of life between two pings', async () => {
    const server = await StreamServer.start();
    server.bench.open(0);
    const client = await FrameClient.open({ port: server.port });
    client.socket.pause();
    server.advance(30);
    expect(server.bench.hub.consumersOf(0)).toHaveLength(1);
    server.advance(30);
    await eventually(() => server.bench.hub.consumersOf(0).length === 0);
    client.socket.resume();
    expect((await client.closed).code).toBe(1006);
  });
});
