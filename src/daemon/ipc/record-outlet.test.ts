import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/fake-clock.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { decodeFrm2 } from '../../frame/frm2-event.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import type { StreamSink } from '../../operations/stream.ts';
import { RecordOutlet } from './record-outlet.ts';

class ListingSink implements StreamSink {
  isReady = true;
  readonly told: unknown[] = [];
  ready = (): void => undefined;

  onReady(callback: () => void): void {
    this.ready = callback;
  }

  message(value: object): void {
    this.told.push(value);
  }

  batch(bytes: Uint8Array, records: number): void {
    this.told.push({ bytes: bytes.slice(), records });
  }

  end(result: object): void {
    this.told.push({ result });
  }

  fail(error: unknown): void {
    this.told.push({ error });
  }
}

const channel = { slot: 3, selector: 'SIM00001/3', name: null as string | null };
const announcement = { channels: [channel], stream_epoch: 42 };

const setUp = (end: { count?: number; duration_ms?: number } = {}) => {
  const sink = new ListingSink();
  const clock = new FakeClock();
  const calls: string[] = [];
  const channels = [channel];
  const outlet = new RecordOutlet({
    sink,
    clock,
    epoch: 42,
    channels: () => channels,
    end,
  });
  outlet.attach({ resume: () => calls.push('resume'), close: () => calls.push('close') });
  return { sink, clock, calls, channels, outlet };
};

describe('RecordOutlet', () => {
  it('says first which channels it follows', () => {
    expect(setUp().sink.told).toEqual([announcement]);
  });

  it('sends records back to back, as long as they are, with the epoch in them', () => {
    const { sink, outlet } = setUp();
    const staging = stagedRecords([2, 0]);
    outlet.record(staging, 0);
    outlet.record(staging, frm2SlotBytes);
    outlet.flush();
    const { bytes, records } = sink.told[1] as { bytes: Uint8Array; records: number };
    expect(records).toBe(2);
    expect(bytes.length).toBe(66 + 64);
    expect(decodeFrm2(bytes.subarray(0, 66))).toMatchObject({ eventId: 1, streamEpoch: 42 });
    expect(decodeFrm2(bytes.subarray(66))).toMatchObject({ eventId: 2, streamEpoch: 42 });
  });

  it('has room until a batch is full', () => {
    const { outlet } = setUp();
    const staging = stagedRecords([64]);
    let taken = 1;
    while (outlet.record(staging, 0)) taken++;
    expect(taken).toBe(512);
  });

  it('tells a gap in its place among the records', () => {
    const { sink, outlet } = setUp();
    outlet.record(stagedRecords([1]), 0);
    outlet.gap({ oldestAvailable: 10, newestAvailable: 20 }, 7);
    expect(sink.told.slice(1)).toEqual([
      { bytes: expect.anything(), records: 1 },
      { event: 'gap', oldest_available: 10, newest_available: 20, missed: 7 },
    ]);
  });

  it('names a channel that has come later before its first record', () => {
    const { sink, channels, outlet } = setUp();
    const late = { slot: 9, selector: 'SIM00001/5', name: 'late' };
    channels.push(late);
    outlet.record(stagedRecords([1], 1, 9), 0);
    outlet.flush();
    expect(sink.told[1]).toEqual({ channels: [channel, late], stream_epoch: 42 });
    expect(sink.told[2]).toMatchObject({ records: 1 });
  });

  it('ends by itself after as many events as were wanted', () => {
    const { sink, calls, outlet } = setUp({ count: 2 });
    const staging = stagedRecords([1, 1]);
    expect(outlet.record(staging, 0)).toBe(true);
    expect(outlet.record(staging, frm2SlotBytes)).toBe(false);
    outlet.flush();
    expect(sink.told.at(-1)).toEqual({ result: { reason: 'count', delivered: 2 } });
    expect(calls).toEqual(['close']);
    expect(outlet.isReady).toBe(false);
  });

  it('ends when its time is over, and sends what it has', () => {
    const { sink, clock, outlet } = setUp({ duration_ms: 100 });
    outlet.record(stagedRecords([1]), 0);
    clock.advanceUs(100_000);
    expect(sink.told.slice(1)).toEqual([
      { bytes: expect.anything(), records: 1 },
      { result: { reason: 'duration', delivered: 1 } },
    ]);
  });

  it('ends once only, and tells the first reason', () => {
    const { sink, clock, outlet } = setUp({ duration_ms: 100 });
    outlet.end('channel_closed');
    outlet.end('shut_down');
    clock.advanceUs(200_000);
    expect(sink.told.slice(1)).toEqual([{ result: { reason: 'channel_closed', delivered: 0 } }]);
  });

  it('goes on when its caller reads again', () => {
    const { sink, calls, outlet } = setUp();
    sink.isReady = false;
    expect(outlet.isReady).toBe(false);
    sink.ready();
    expect(calls).toEqual(['resume']);
  });

  it('closes a subscription that comes when everything is over', () => {
    const { outlet } = setUp({ duration_ms: 100 });
    outlet.close();
    const calls: string[] = [];
    outlet.attach({ resume: () => undefined, close: () => calls.push('close') });
    expect(calls).toEqual(['close']);
  });
});
