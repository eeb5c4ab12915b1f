import { createConnection, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SseClient } from '../support/sse.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually, Workbench } from '../support/workbench.ts';
import { reuseStreamBench } from './support/stream-bench.ts';

const reuse = reuseStreamBench();

const connect = (port: number): { socket: Socket; received: () => string } => {
  const socket = createConnection(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  return { socket, received: () => text };
};

const request = (port: number, path: string): string =>
  `GET /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;

interface LogRecord {
  readonly path: string;
  readonly status: number;
  readonly duration_us: number;
}

describe('the connection of an event stream', () => {
  it('may have served another request before, sent along with it', async () => {
    const { bench, before } = await reuse();
    await bench.send(0, 1);
    const { port } = bench;
    const { socket, received } = connect(port);
    socket.write(request(port, '/info') + request(port, `/messages/stream?after=${before}`));
    await eventually(() => received().includes(`id: ${before + 2}\n`));
    const [info, stream] = received().split(/(?=HTTP\/1\.1 200)/);
    expect(info).toContain('"product":"Busbar"');
    expect(stream).toContain('text/event-stream');
    expect(stream).toContain(': events follow\n');
  });

  it('serves the next request once the stream has ended', async () => {
    const { bench } = await reuse();
    const { port } = bench;
    const { socket, received } = connect(port);
    socket.write(request(port, '/messages/stream?channel=SIM00001/0'));
    await eventually(() => received().includes('events follow'));
    await bench.close(0);
    await eventually(() => received().endsWith('0\r\n\r\n'));
    socket.write(request(port, '/info'));
    await eventually(() => received().includes('"product":"Busbar"'));
  });

  it('takes no body', async () => {
    const { bench } = await reuse();
    const answer = await bench.get('/messages/stream', { 'content-length': '2' });
    expect(answer.status).toBe(400);
  });
});

const recordsIn = (log: string): LogRecord[] =>
  log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ event, path }) => event === 'request' && /\/(ws|stream)$/.test(path))
    .map(({ path, status, duration_us }) => ({ path, status, duration_us }));

describe('the log', () => {
  // Its own daemon: others may have streams whose records are written late.
  const workbench = new Workbench();
  const reuseLogged = reuseStreamBench(workbench);
  /** Records since this call. */
  const follow = (): (() => LogRecord[]) => {
    const { length } = recordsIn(workbench.log);
    return () => recordsIn(workbench.log).slice(length);
  };

  it.each([
    ['stream', 200, (port: number, path: string) => SseClient.open({ port, path })],
    ['ws', 101, (port: number, path: string) => FrameClient.open({ port, path })],
  ])('has one record of a %s that its client has left, without its query', async (...row) => {
    const [name, status, open] = row;
    const { bench } = await reuseLogged();
    const records = follow();
    const path = `/api/v1/messages/${name}`;
    const client = await open(bench.port, `${path}?channel=SIM00001/0`);
    await eventually(async () => (await bench.broker(0)).consumers.length === 1);
    client.close();
    await eventually(async () => (await bench.broker(0)).consumers.length === 0);
    await eventually(() => records().length > 0);
    expect(records()).toEqual([{ path, status, duration_us: expect.any(Number) }]);
    expect(workbench.log).not.toContain('channel=');
  });

  it.each([
    ['stream', 200, (port: number, path: string) => SseClient.open({ port, path })],
    ['ws', 101, (port: number, path: string) => FrameClient.open({ port, path })],
  ])('has one record of a %s that has ended with its channel', async (name, status, open) => {
    const { bench } = await reuseLogged();
    const records = follow();
    const path = `/api/v1/messages/${name}`;
    const client = await open(bench.port, `${path}?channel=SIM00001/0`);
    await bench.close(0);
    await ('ended' in client ? client.ended : client.closed);
    await eventually(() => records().length === 1);
    expect(records()).toMatchObject([{ path, status }]);
  });
});
