import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { ScratchPool } from '../../base/scratch-pool.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import { StallingSocket } from '../stream/testing/stalling-socket.ts';
import { FrameSink } from './frame-sink.ts';

const openSink = (intervalMs = 0) => {
  const clock = new FakeClock();
  const socket = new StallingSocket();
  const closeFrames: unknown[] = [];
  const webSocket = {
    readyState: WebSocket.OPEN as 0 | 1 | 2 | 3,
    close: (...closeFrame: unknown[]) => void closeFrames.push(closeFrame),
  };
  const pacing = intervalMs > 0 ? { pacing: { clock, intervalMs } } : {};
  const sink = new FrameSink({ socket, scratch: new ScratchPool(), epoch: 9, ...pacing });
  return { clock, socket, webSocket, closeFrames, sink };
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
    sink.attach({
      hasBacklog: false,
      resume: () => resumed++,
      last: ignore,
      end: ignore,
      close: ignore,
    });
    socket.isStalled = true;
    sink.item(stagedRecords([8]), 0);
    sink.flush();
    expect([sink.isReady, resumed]).toEqual([false, 0]);
    socket.release();
    expect([sink.isReady, resumed, sink.takeProgress()]).toEqual([true, 1, true]);
  });

  it('rests between two writes, then says that it is ready', () => {
    const { clock, sink, socket, webSocket } = openSink(50);
    let resumed = 0;
    const ignore = () => undefined;
    sink.attach({
      hasBacklog: false,
      resume: () => resumed++,
      last: ignore,
      end: ignore,
      close: ignore,
    });
    sink.open(webSocket);
    resumed = 0;
    sink.item(stagedRecords([8]), 0);
    sink.flush();
    expect([socket.writes.length, sink.isReady]).toEqual([1, false]);
    clock.advanceUs(49_000);
    expect([sink.isReady, resumed]).toEqual([false, 0]);
    clock.advanceUs(1_000);
    expect([sink.isReady, resumed]).toEqual([true, 1]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not rest after a full batch, which more follows', () => {
    const { clock, sink, webSocket } = openSink(50);
    sink.open(webSocket);
    const staging = stagedRecords([64]);
    while (sink.item(staging, 0));
    sink.flush();
    expect([sink.isReady, clock.pendingTimers]).toEqual([true, 0]);
  });

  it('does not rest while a filter has not seen all that is due', () => {
    const { clock, sink, webSocket } = openSink(50);
    const handle = { hasBacklog: true, resume: () => undefined, last: () => undefined };
    sink.attach({ ...handle, end: () => undefined, close: () => undefined });
    sink.open(webSocket);
    sink.item(stagedRecords([8]), 0);
    sink.flush();
    expect([sink.isReady, clock.pendingTimers]).toEqual([true, 0]);
  });

  it('ends a rest when events become unavailable or the client has gone, and rests again later', () => {
    const { clock, sink, socket, webSocket } = openSink(50);
    let closed = 0;
    const ignore = () => undefined;
    sink.attach({
      hasBacklog: false,
      resume: ignore,
      last: ignore,
      end: ignore,
      close: () => closed++,
    });
    sink.open(webSocket);
    sink.item(stagedRecords([8]), 0);
    sink.flush();
    sink.hurry();
    expect([sink.isReady, clock.pendingTimers]).toEqual([true, 0]);
    sink.item(stagedRecords([8]), 0);
    sink.flush();
    expect([sink.isReady, clock.pendingTimers]).toEqual([false, 1]);
    socket.emit('close');
    expect([closed, clock.pendingTimers]).toEqual([1, 0]);
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
