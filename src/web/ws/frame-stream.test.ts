import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';
import { FrameStream } from './frame-stream.ts';

const openStream = () => {
  const socket = new StallingSocket();
  const closeFrames: unknown[] = [];
  const webSocket = {
    readyState: WebSocket.OPEN as 0 | 1 | 2 | 3,
    close: (...closeFrame: unknown[]) => void closeFrames.push(closeFrame),
  };
  const stream = new FrameStream({ socket, scratch: new ScratchPool(), epoch: 9 });
  return { socket, webSocket, closeFrames, stream };
};

describe('FrameStream', () => {
  it('takes nothing before the handshake is done', () => {
    const { stream, webSocket } = openStream();
    expect(stream.isReady).toBe(false);
    stream.open(webSocket);
    expect(stream.isReady).toBe(true);
  });

  it('writes everything since the last flush at once, in order', () => {
    const { stream, socket, webSocket } = openStream();
    stream.open(webSocket);
    const staging = stagedRecords([8, 64]);
    stream.gap({ oldestAvailable: 1, newestAvailable: 2 });
    expect(stream.record(staging, 0)).toBe(true);
    stream.record(staging, frm2SlotBytes);
    expect(socket.writes).toEqual([]);
    stream.flush();
    stream.flush();
    expect(socket.writes.map((bytes) => bytes.length)).toEqual([59 + 74 + 132]);
    expect(socket.writes[0]?.[0]).toBe(0x81);
    expect(socket.writes[0]?.[59]).toBe(0x82);
  });

  it('says when a batch is full', () => {
    const { stream, webSocket } = openStream();
    stream.open(webSocket);
    const staging = stagedRecords([64]);
    let records = 1;
    while (stream.record(staging, 0)) records++;
    expect(records).toBeGreaterThan(400);
    expect(records).toBeLessThan(1000);
  });

  it('is not ready while the client does not take the last batch, and says when it is', () => {
    const { stream, socket, webSocket } = openStream();
    let resumed = 0;
    stream.onReady = () => resumed++;
    stream.open(webSocket);
    socket.isStalled = true;
    stream.record(stagedRecords([8]), 0);
    stream.flush();
    expect([stream.isReady, resumed]).toEqual([false, 0]);
    socket.release();
    expect([stream.isReady, resumed, stream.takeProgress()]).toEqual([true, 1, true]);
  });

  it('sends nothing behind a close frame', () => {
    const { stream, webSocket } = openStream();
    stream.open(webSocket);
    webSocket.readyState = WebSocket.CLOSING;
    expect(stream.isReady).toBe(false);
  });

  it.each([
    ['channel_closed', [1000, 'channel closed']],
    ['shut_down', [1001, 'shutting down']],
  ] as const)('closes with its code for %s', (reason, closeFrame) => {
    const { stream, webSocket, closeFrames } = openStream();
    stream.open(webSocket);
    stream.end(reason);
    expect(closeFrames).toEqual([closeFrame]);
  });
});
