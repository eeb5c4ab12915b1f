import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';
import { FrameSink } from './frame-sink.ts';

const openSink = () => {
  const socket = new StallingSocket();
  const closeFrames: unknown[] = [];
  const webSocket = {
    readyState: WebSocket.OPEN as 0 | 1 | 2 | 3,
    close: (...closeFrame: unknown[]) => void closeFrames.push(closeFrame),
  };
  const sink = new FrameSink({ socket, scratch: new ScratchPool(), epoch: 9 });
  return { socket, webSocket, closeFrames, sink };
};

describe('FrameSink', () => {
  it('takes nothing before the handshake is done', () => {
    const { sink, webSocket } = openSink();
    expect(sink.isReady).toBe(false);
    sink.open(webSocket);
    expect(sink.isReady).toBe(true);
  });

  it('writes everything since the last flush at once, in order', () => {
    const { sink, socket, webSocket } = openSink();
    sink.open(webSocket);
    const staging = stagedRecords([8, 64]);
    sink.gap({ oldestAvailable: 1, newestAvailable: 2 });
    expect(sink.item(staging, 0)).toBe(true);
    sink.item(staging, frm2SlotBytes);
    expect(socket.writes).toEqual([]);
    sink.flush();
    sink.flush();
    expect(socket.writes.map((bytes) => bytes.length)).toEqual([59 + 74 + 132]);
    expect(socket.writes[0]?.[0]).toBe(0x81);
    expect(socket.writes[0]?.[59]).toBe(0x82);
  });

  it('says when a batch is full', () => {
    const { sink, webSocket } = openSink();
    sink.open(webSocket);
    const staging = stagedRecords([64]);
    let records = 1;
    while (sink.item(staging, 0)) records++;
    expect(records).toBeGreaterThan(400);
    expect(records).toBeLessThan(1000);
  });

  it('is not ready while the client does not take the last batch, and says when it is', () => {
    const { sink, socket, webSocket } = openSink();
    let resumed = 0;
    const ignore = () => undefined;
    sink.open(webSocket);
    sink.attach({ resume: () => resumed++, last: ignore, end: ignore, close: ignore });
    socket.isStalled = true;
    sink.item(stagedRecords([8]), 0);
    sink.flush();
    expect([sink.isReady, resumed]).toEqual([false, 0]);
    socket.release();
    expect([sink.isReady, resumed, sink.takeProgress()]).toEqual([true, 1, true]);
  });

  it('sends nothing behind a close frame', () => {
    const { sink, webSocket } = openSink();
    sink.open(webSocket);
    webSocket.readyState = WebSocket.CLOSING;
    expect(sink.isReady).toBe(false);
  });

  it.each([
    ['channel_closed', [1000, 'channel closed']],
    ['shut_down', [1001, 'shutting down']],
  ] as const)('closes with its code for %s', (reason, closeFrame) => {
    const { sink, webSocket, closeFrames } = openSink();
    sink.open(webSocket);
    sink.end(reason);
    expect(closeFrames).toEqual([closeFrame]);
  });
});
