import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { stagedRecords } from '../../broker/testing/staged-records.ts';
import { readFrm2 } from '../../frame/frm2-event.ts';
import { frm2SlotBytes } from '../../frame/frm2-layout.ts';
import type { StreamReply } from '../../operations/stream.ts';
import { LinkSink, messages, RecordEncoder } from './link-sink.ts';

class ListingReply implements StreamReply {
  isReady = true;
  readonly reported: unknown[] = [];
  ready = (): void => undefined;

  onReady(callback: () => void): void {
    this.ready = callback;
  }

  message(value: object): void {
    this.reported.push(value);
  }

  batch(bytes: Uint8Array, records: number): void {
    this.reported.push({ bytes: bytes.slice(), records });
  }

  end(result: object): void {
    this.reported.push({ result });
  }

  fail(error: unknown): void {
    this.reported.push({ error });
  }
}

const handle = (calls: string[]) => ({
  hasBacklog: false,
  resume: () => calls.push('resume'),
  last: () => calls.push('last'),
  end: () => calls.push('end'),
  close: () => calls.push('close'),
});

const channel = { slot: 3, selector: 'SIM00001/3', name: null as string | null };
const announcement = { channels: [channel], stream_epoch: 42 };

const setUp = (end: { count?: number; duration_ms?: number } = {}) => {
  const reply = new ListingReply();
  const clock = new FakeClock();
  const calls: string[] = [];
  const channels = [channel];
  const encoder = new RecordEncoder({ epoch: 42, channels: () => channels }, reply);
  const sink = new LinkSink({ reply, clock, encoder, end });
  sink.attach(handle(calls));
  return { reply, clock, calls, channels, sink };
};

describe('events for the CLI', () => {
  it('says first which channels it follows', () => {
    expect(setUp().reply.reported).toEqual([announcement]);
  });

  it('sends records back to back, as long as they are, with the epoch in them', () => {
    const { reply, sink } = setUp();
    const staging = stagedRecords([2, 0]);
    sink.item(staging, 0);
    sink.item(staging, frm2SlotBytes);
    sink.flush();
    const { bytes, records } = reply.reported[1] as { bytes: Uint8Array; records: number };
    expect(records).toBe(2);
    expect(bytes.length).toBe(66 + 64);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect(readFrm2(view, 0)).toMatchObject({ eventId: 1, streamEpoch: 42 });
    expect(readFrm2(view, 66)).toMatchObject({ eventId: 2, streamEpoch: 42 });
  });

  it('has room until a batch is full', () => {
    const { sink } = setUp();
    const staging = stagedRecords([64]);
    let taken = 1;
    while (sink.item(staging, 0)) taken++;
    expect(taken).toBe(512);
  });

  it('tells a gap in its place among the records', () => {
    const { reply, sink } = setUp();
    sink.item(stagedRecords([1]), 0);
    sink.gap({ oldestAvailable: 10, newestAvailable: 20 }, 7);
    expect(reply.reported.slice(1)).toEqual([
      { bytes: expect.anything(), records: 1 },
      { event: 'gap', oldest_available: 10, newest_available: 20, missed: 7 },
    ]);
  });

  it('names a channel that has come later before its first record', () => {
    const { reply, channels, sink } = setUp();
    const late = { slot: 9, selector: 'SIM00001/5', name: 'late' };
    channels.push(late);
    sink.item(stagedRecords([1], 1, 9), 0);
    sink.flush();
    expect(reply.reported[1]).toEqual({ channels: [channel, late], stream_epoch: 42 });
    expect(reply.reported[2]).toMatchObject({ records: 1 });
  });

  it('ends by itself after as many events as were wanted', () => {
    const { reply, calls, sink } = setUp({ count: 2 });
    const staging = stagedRecords([1, 1]);
    expect(sink.item(staging, 0)).toBe(true);
    expect(sink.item(staging, frm2SlotBytes)).toBe(false);
    sink.flush();
    expect(reply.reported.at(-1)).toEqual({ result: { reason: 'count', delivered: 2 } });
    expect(calls).toEqual(['close']);
    expect(sink.isReady).toBe(false);
  });

  it('ends when its time is over, and sends what it has', () => {
    const { reply, clock, sink } = setUp({ duration_ms: 100 });
    sink.item(stagedRecords([1]), 0);
    clock.advanceUs(100_000);
    expect(reply.reported.slice(1)).toEqual([
      { bytes: expect.anything(), records: 1 },
      { result: { reason: 'duration', delivered: 1 } },
    ]);
  });

  it('ends once only, and tells the first reason', () => {
    const { reply, clock, sink } = setUp({ duration_ms: 100 });
    sink.end('channel_closed');
    sink.end('shut_down');
    clock.advanceUs(200_000);
    expect(reply.reported.slice(1)).toEqual([
      { result: { reason: 'channel_closed', delivered: 0 } },
    ]);
  });

  it('goes on when its caller reads again', () => {
    const { reply, calls, sink } = setUp();
    reply.isReady = false;
    expect(sink.isReady).toBe(false);
    reply.ready();
    expect(calls).toEqual(['resume']);
  });

  it('closes a subscription that comes when everything is over', () => {
    const { sink } = setUp({ duration_ms: 100 });
    sink.close();
    const calls: string[] = [];
    sink.attach(handle(calls));
    expect(calls).toEqual(['close']);
  });
});

describe('messages for the CLI', () => {
  const setUpMessages = () => {
    const reply = new ListingReply();
    const encoder = messages((item: number, key: string) => (key === 'shown' ? { item } : null));
    const sink = new LinkSink({ reply, clock: new FakeClock(), encoder, end: { count: 2 } });
    return { reply, sink };
  };

  it('sends one for each item, and does not count those that are not shown', () => {
    const { reply, sink } = setUpMessages();
    expect([sink.item(1, 'shown'), sink.item(2, 'hidden'), sink.item(3, 'shown')]).toEqual([
      true,
      true,
      false,
    ]);
    sink.flush();
    const result = { reason: 'count', delivered: 2 };
    expect(reply.reported).toEqual([{ item: 1 }, { item: 3 }, { result }]);
  });

  it('has no room while the caller does not keep up', () => {
    const { reply, sink } = setUpMessages();
    reply.isReady = false;
    expect(sink.item(1, 'shown')).toBe(false);
  });

  it('rejects what its source refuses, and leaves nothing open', async () => {
    const { sink } = setUpMessages();
    const refused = sink.open(() => Promise.reject(new RangeError('refused')));
    await expect(refused).rejects.toThrow('refused');
    const calls: string[] = [];
    sink.attach(handle(calls));
    expect(calls).toEqual(['close']);
  });
});
