import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import { FrameClient } from '../support/websocket.ts';
import { eventually } from '../support/workbench.ts';
import { range, StreamBench } from './support/stream-bench.ts';

const connections = 20;
const requestsEach = 1000;
const megabyte = 1024 * 1024;

/** The longest responses. */
const targets = ['/operations', '/openapi.json', '/messages/history?limit=4096'];

/** A connection that pipelines all its requests and reads no response. */
const pipeline = (port: number, target: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.on('error', reject);
    const request = `GET /api/v1${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    socket.on('connect', () => socket.write(request.repeat(requestsEach), () => resolve(socket)));
  });

describe.runIf(isLong)('connections that send a thousand requests and read no answer', () => {
  it('wait for themselves: others are served, streams are complete, memory stays', async () => {
    const bench = await StreamBench.start();
    const { port, workbench } = bench;
    const residentBytes = (): number => {
      const pages = readFileSync(`/proc/${workbench.daemonPid}/statm`, 'latin1').split(' ')[1];
      return Number(pages) * 4096;
    };
    const requestsServed = async (): Promise<number> =>
      (await bench.get('/health')).json().web.requests;
    const stream = await FrameClient.open({ port });
    const ids: number[] = [];
    const gaps: unknown[] = [];
    stream.follow((item) => {
      if ('text' in item) gaps.push(item.text);
      else ids.push(item.record.eventId);
    });
    // Every resource was requested once, and a page has content.
    await bench.send(0, 4096);
    for (const target of targets) await bench.get(target);
    const settled = residentBytes();
    const before = await requestsServed();

    await Promise.all(
      range(1, connections).map((n) => pipeline(port, targets[n % targets.length] ?? '')),
    );
    // Each of these would wait for all of theirs.
    for (let asked = 0; asked < 20; asked++) {
      expect((await bench.get('/info')).status).toBe(200);
    }
    await bench.send(0, 4096);
    expect(await workbench.json('web', 'status')).toMatchObject({ state: 'running' });
    await eventually(() => ids.length === 4 * 4096);
    expect(ids).toEqual(range(1, 4 * 4096));
    expect(gaps).toEqual([]);

    // One response more than the system buffers for a connection: a fraction of what was
    // requested.
    const served = (await requestsServed()) - before;
    expect(served).toBeGreaterThan(connections);
    expect(served).toBeLessThan((connections * requestsEach) / 10);
    expect(residentBytes() - settled).toBeLessThan(64 * megabyte);

    expect(await workbench.json('web', 'stop')).toMatchObject({ state: 'stopped' });
  });
});
