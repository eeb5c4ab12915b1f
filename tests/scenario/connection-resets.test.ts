import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/http.ts';
import { Workbench } from '../support/workbench.ts';

const bench = new Workbench();
let port = 0;

beforeAll(async () => {
  ({ port } = await bench.startWeb());
});
afterAll(() => bench.dispose());

/** Sends a request and resets the connection at the first byte of the response. */
const resetAtAnswer = (request: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('data', () => socket.resetAndDestroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.write(request);
  });

const upgrade = (host: string, protocol: string, to = 'websocket'): string =>
  [
    'GET /api/v1/messages/ws HTTP/1.1',
    `Host: ${host}`,
    'Connection: Upgrade',
    `Upgrade: ${to}`,
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${protocol}`,
    '',
    '',
  ].join('\r\n');

interface Health {
  readonly daemon: { readonly threads: readonly { name: string; restarts: number }[] };
}

describe('a client that breaks off when it is answered', () => {
  it.each([
    ['an upgrade without the subprotocol', () => upgrade(`127.0.0.1:${port}`, 'svc.frames.v1')],
    ['an upgrade for another host', () => upgrade('elsewhere.example', 'svc.frames.v2')],
    ['an upgrade that is taken', () => upgrade(`127.0.0.1:${port}`, 'svc.frames.v2')],
    ['an upgrade to HTTP/2', () => upgrade(`127.0.0.1:${port}`, 'x', 'h2c')],
    ['a tunnel', () => `CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a request that is no HTTP', () => 'nonsense\r\n\r\n'],
    [
      'a stream of events',
      () => `GET /api/v1/messages/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    ],
  ])('hurts nobody with %s', async (_, request) => {
    for (let round = 0; round < 10; round++) await resetAtAnswer(request());
    expect((await ask({ port, path: '/api/v1/info' })).status).toBe(200);
    const { daemon } = await bench.json<Health>('health');
    expect(daemon.threads.map(({ restarts }) => restarts)).toEqual([0, 0]);
  });
});
