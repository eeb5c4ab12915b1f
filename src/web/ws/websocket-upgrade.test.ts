import { type EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { eventually } from '../../base/testing/eventually.ts';
import type { SubscribeEventsOptions } from '../../broker/reader-hub.ts';
import { HubBench } from '../../broker/testing/hub-bench.ts';
import { frm2EventId, frm2StreamEpoch } from '../../frame/frm2-codec.ts';
import { FrameSink } from './frame-sink.ts';
import { checkHandshake, heartbeatMs, upgradeToFrames } from './websocket-upgrade.ts';

const epoch = 77;
const handshake = {
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
  'sec-websocket-protocol': 'svc.frames.v2',
};

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that upgrades every client, on a hub with one channel; rejections are recorded. */
const serve = async (options: Partial<SubscribeEventsOptions> = {}) => {
  const bench = new HubBench();
  const ring = bench.open(0);
  const scratch = new ScratchPool();
  const refusals: unknown[] = [];
  const listening = createServer();
  server = listening;
  listening.on('upgrade', (request, socket, head) => {
    try {
      checkHandshake(request);
      const sink = new FrameSink({ socket, scratch, epoch });
      bench.hub.subscribe({ channels: [0], after: 0, capacity: 10, ...options, sink });
      const headers = { 'x-request-id': 'r-1' };
      upgradeToFrames(request, socket, head, { clock: bench.clock, headers, sink });
    } catch (thrown) {
      refusals.push(thrown);
      socket.destroy();
    }
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return { bench, ring, refusals, port };
};

/** Arguments of the close event, also after an error. */
const closeOf = (emitter: EventEmitter): Promise<unknown[]> =>
  new Promise((resolve) => {
    emitter.once('close', (...details) => resolve(details));
  });

const connectTo = (port: number, protocols = ['svc.frames.v2'], options = {}) => {
  const client = new WebSocket(`ws://127.0.0.1:${port}/`, protocols, options);
  const messages: (string | Buffer)[] = [];
  client.on('message', (data: Buffer, isBinary) => {
    messages.push(isBinary ? data : data.toString());
  });
  client.on('error', () => {});
  return { client, messages, closed: closeOf(client) };
};

const viewOf = (bytes: string | Buffer | undefined): DataView => {
  if (!Buffer.isBuffer(bytes)) throw new Error('not a binary message');
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
};

describe('upgradeToFrames', () => {
  it('selects the frames and nothing else, and adds the headers it was given', async () => {
    const { port } = await serve();
    const { client } = connectTo(port, ['svc.frames.v1', 'svc.token.secret', 'svc.frames.v2']);
    const [response] = (await once(client, 'upgrade')) as [IncomingMessage];
    expect(client.protocol).toBe('svc.frames.v2');
    expect(response.headers).toMatchObject({
      'sec-websocket-protocol': 'svc.frames.v2',
      'x-request-id': 'r-1',
    });
    expect(response.headers['sec-websocket-extensions']).toBeUndefined();
  });

  it('sends one binary message for each event, past ones first', async () => {
    const { bench, ring, port } = await serve();
    ring.publish(2);
    const { client, messages } = connectTo(port);
    await once(client, 'open');
    ring.publish(3);
    bench.settle();
    await eventually(() => messages.length === 5);
    const views = messages.map(viewOf);
    expect(views.map((view) => frm2EventId(view, 0))).toEqual([1, 2, 3, 4, 5]);
    expect(views.map((view) => frm2StreamEpoch(view, 0))).toEqual(Array(5).fill(epoch));
  });

  it('tells first that a cursor has expired', async () => {
    const { ring, port } = await serve({ after: 5 });
    ring.publish(20);
    const { messages } = connectTo(port);
    await eventually(() => messages.length === 11);
    expect(messages[0]).toBe('{"event":"gap","oldest_available":11,"newest_available":20}');
    expect(frm2EventId(viewOf(messages[1]), 0)).toBe(11);
  });

  it('says goodbye behind the last event when its channel is closed', async () => {
    const { bench, ring, port } = await serve();
    const { client, messages, closed } = connectTo(port);
    await once(client, 'open');
    ring.publish(2);
    bench.close(ring);
    const [code, reason] = await closed;
    expect([code, String(reason), messages.length]).toEqual([1000, 'channel closed', 2]);
  });

  it('says that it goes away when the service stops', async () => {
    const { bench, port } = await serve();
    const { client, closed } = connectTo(port);
    await once(client, 'open');
    bench.hub.close();
    expect((await closed)[0]).toBe(1001);
  });

  it.each(['text', Buffer.alloc(8)])('closes on a client that sends data', async (data) => {
    const { bench, port } = await serve();
    const { client, closed } = connectTo(port);
    await once(client, 'open');
    client.send(data);
    expect((await closed)[0]).toBe(1003);
    expect(bench.hub.consumersOf(0)).toEqual([]);
  });

  it('closes on a message that is too large', async () => {
    const { bench, port } = await serve();
    const { client, closed } = connectTo(port);
    await once(client, 'open');
    client.send(Buffer.alloc(5000));
    expect((await closed)[0]).toBe(1009);
    await eventually(() => bench.hub.consumersOf(0).length === 0);
  });

  it('answers pings', async () => {
    const { port } = await serve();
    const { client } = connectTo(port);
    await once(client, 'open');
    client.ping('are you there');
    expect(String((await once(client, 'pong'))[0])).toBe('are you there');
  });

  it.each(['close', 'terminate'] as const)('lets go of a client that leaves: %s', async (how) => {
    const { bench, port } = await serve();
    const { client } = connectTo(port);
    await once(client, 'open');
    expect(bench.hub.consumersOf(0)).toHaveLength(1);
    client[how]();
    await eventually(() => bench.hub.consumersOf(0).length === 0);
    await eventually(() => bench.clock.pendingTimers === 0);
  });

  it('cuts a client that does not answer pings, and keeps one that does', async () => {
    const { bench, port } = await serve();
    const alive = connectTo(port);
    const dead = connectTo(port, ['svc.frames.v2'], { autoPong: false });
    await Promise.all([once(alive.client, 'open'), once(dead.client, 'open')]);
    const pinged = Promise.all([once(alive.client, 'ping'), once(dead.client, 'ping')]);
    bench.clock.advanceUs(heartbeatMs * 1000);
    await pinged;
    // The server receives messages in order: this answer comes after the pong to its ping.
    alive.client.ping();
    await once(alive.client, 'pong');
    bench.clock.advanceUs(heartbeatMs * 1000);
    expect((await dead.closed)[0]).toBe(1006);
    expect(alive.client.readyState).toBe(WebSocket.OPEN);
    expect(bench.hub.consumersOf(0)).toHaveLength(1);
  });

  it('cuts a client that pings on and on and fetches no answer', async () => {
    const { bench, port } = await serve();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = closeOf(socket);
    const lines = Object.entries(handshake).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`);
    await once(socket, 'readable');
    const ping = Buffer.concat([Buffer.from('89fd00000000', 'hex'), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array(500).fill(ping));
    const flood = (error?: Error | null): void => {
      if (!error) socket.write(pings, flood);
    };
    flood();
    await eventually(() => bench.hub.consumersOf(0).length === 0);
    socket.resume();
    await closed;
  });

  it.each([
    ['a wrong version', { 'sec-websocket-version': '7' }, 'invalid_argument'],
    ['a wrong key', { 'sec-websocket-key': 'short' }, 'invalid_argument'],
    [
      'an old format',
      { 'sec-websocket-protocol': 'svc.frames.v1' },
      'unsupported_websocket_subprotocol',
    ],
  ])('refuses %s before any answer', async (_what, changed, code) => {
    const { bench, refusals, port } = await serve();
    const headers = { ...handshake, ...changed };
    const request = get({ port, host: '127.0.0.1', agent: false, headers });
    request.on('error', () => {});
    await closeOf(request);
    expect(refusals).toEqual([expect.objectContaining({ code })]);
    expect(bench.hub.consumersOf(0)).toEqual([]);
  });

  it('refuses before any answer what cannot be subscribed to', async () => {
    const { refusals, port } = await serve({ channels: [5] });
    await connectTo(port).closed;
    expect(refusals).toEqual([expect.objectContaining({ code: 'channel_not_open' })]);
  });
});
