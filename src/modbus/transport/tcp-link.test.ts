import { createServer, Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ByteLink } from '../../base/serial/byte-link.ts';
import { RecordedLink } from '../../base/serial/testing/recorded-link.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { connectTcp } from './tcp-connection.ts';
import { listenTcp, type TcpListener } from './tcp-listener.ts';

const textBytes = (text: string): Uint8Array => Buffer.from(text);

describe('a TCP link', () => {
  let listener: TcpListener | undefined;
  afterEach(() => listener?.close());

  const setUp = async () => {
    const accepted: { link: ByteLink; received: RecordedLink }[] = [];
    listener = await listenTcp({
      address: '127.0.0.1',
      port: 0,
      accept: (link) => {
        const received = new RecordedLink();
        accepted.push({ link, received });
        return received;
      },
    });
    const { port } = listener;
    const connect = () =>
      RecordedLink.open((receiver) => connectTcp({ address: '127.0.0.1', port }, receiver));
    return { accepted, connect, port };
  };

  it('carries bytes both ways', async () => {
    const { accepted, connect, port } = await setUp();
    const { received: heard, link } = connect();
    await heard.whenOpened;
    link.write(textBytes('ping'));
    await eventually(() => accepted[0]?.received.text === 'ping');
    accepted[0]?.link.write(textBytes('pong'));
    await heard.until('pong');
    expect(link.peer).toBe(`127.0.0.1:${port}`);
    expect(accepted[0]?.link.peer).toMatch(/^127\.0\.0\.1:\d+$/);
    link.close();
    expect(await accepted[0]?.received.whenClosed).toBeUndefined();
  });

  it('tells once that the peer has gone, and its closer nothing', async () => {
    const { accepted, connect } = await setUp();
    const { received: heard } = connect();
    await heard.whenOpened;
    await eventually(() => accepted.length === 1);
    accepted[0]?.link.close();
    expect(await heard.whenClosed).toBeUndefined();
    expect(heard.events).toEqual(['opened', 'closed']);
    expect(accepted[0]?.received.events).toEqual([]);
  });

  it('goes on being accepted after others could not be', async () => {
    const listening = vi.spyOn(Server.prototype, 'listen');
    const { accepted, connect } = await setUp();
    const server = listening.mock.contexts[0] as Server;
    listening.mockRestore();
    for (let i = 0; i < 3; i++) server.emit('error', new Error('accept ENOBUFS'));
    await connect().received.whenOpened;
    await eventually(() => accepted.length === 1);
  });

  it('says why it could not be made', async () => {
    const { port } = await setUp();
    await listener?.close();
    const { received: heard } = RecordedLink.open((receiver) =>
      connectTcp({ address: '127.0.0.1', port }, receiver),
    );
    expect(await heard.whenClosed).toMatchObject({
      code: 'modbus_unreachable',
      details: { endpoint: `127.0.0.1:${port}`, reason: 'ECONNREFUSED' },
    });
    expect(heard.events).toEqual(['closed']);
  });

  it('is silent when it was closed before it opened', async () => {
    const { accepted, connect } = await setUp();
    const { received: heard, link } = connect();
    link.close();
    const { received: later } = connect();
    await later.whenOpened;
    await eventually(() => accepted.length > 0);
    expect(heard.events).toEqual([]);
  });

  it('reports a reset by the peer as an error', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    const { received: heard } = RecordedLink.open((receiver) =>
      connectTcp({ address: '127.0.0.1', port }, receiver),
    );
    await heard.whenOpened;
    await eventually(() => sockets.length === 1);
    sockets[0]?.resetAndDestroy();
    expect(await heard.whenClosed).toMatchObject({ details: { reason: 'ECONNRESET' } });
    server.close();
  });

  it('holds the peer back while it is paused', async () => {
    const { accepted, connect } = await setUp();
    const { received: heard, link } = connect();
    await heard.whenOpened;
    await eventually(() => accepted.length === 1);
    accepted[0]?.link.pause();
    link.write(new Uint8Array(16 * 1024 * 1024));
    expect(link.bufferedBytes).toBeGreaterThan(0);
    accepted[0]?.link.resume();
    await eventually(() => link.bufferedBytes === 0);
  });

  it('hears of the end only once it listens again', async () => {
    const { accepted, connect } = await setUp();
    const { received: heard, link } = connect();
    await heard.whenOpened;
    await eventually(() => accepted.length === 1);
    accepted[0]?.link.pause();
    link.write(textBytes('last words'));
    await eventually(() => link.bufferedBytes === 0);
    link.close();
    const later = connect();
    await later.received.whenOpened;
    expect(accepted[0]?.received).toMatchObject({ text: '', events: [] });
    accepted[0]?.link.resume();
    await accepted[0]?.received.whenClosed;
    expect(accepted[0]?.received.text).toBe('last words');
  });

  it('frees its port when closed, and the connections with it', async () => {
    const { connect, port } = await setUp();
    const { received: heard } = connect();
    await heard.whenOpened;
    await listener?.close();
    await heard.whenClosed;
    listener = await listenTcp({ address: '127.0.0.1', port, accept: () => new RecordedLink() });
    expect(listener.port).toBe(port);
  });

  it('says why it cannot listen there', async () => {
    const { port } = await setUp();
    await expect(
      listenTcp({ address: '127.0.0.1', port, accept: () => new RecordedLink() }),
    ).rejects.toMatchObject({ code: 'modbus_unreachable', details: { reason: 'EADDRINUSE' } });
  });
});
