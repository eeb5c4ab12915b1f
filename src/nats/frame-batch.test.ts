import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrm2, readFrm2 } from '../frame/frm2-event.ts';
import {
  batchBytes,
  FrameBatch,
  maxBatchBytes,
  maxBatchRecords,
  recordOffsets,
  splitBatch,
} from './frame-batch.ts';
import type { BenchMessage } from './messages.ts';

const recordOf = (eventId: number, length: number): Uint8Array =>
  encodeFrm2({
    bus: 'canfd',
    kind: 'rx_frame',
    channel: 3,
    dlc: 15,
    id: 0x123,
    flags: 0,
    status: 0,
    eventId,
    sourceSequence: eventId,
    streamEpoch: 77,
    timestampUs: 1000 + eventId,
    hardwareSequence: 0,
    filterHit: 0,
    checksum: 0,
    data: new Uint8Array(length).fill(eventId),
  });

/** Records as in a slot of a ring, with remains of a longer one after each. */
const slotOf = (record: Uint8Array): DataView => {
  const slot = new Uint8Array(128).fill(0xee);
  slot.set(record);
  return new DataView(slot.buffer);
};

const batchOf = (lengths: readonly number[]): BenchMessage => {
  const batch = new FrameBatch({ subject: 'busbar.b.frames.c', boot: 'boot', epoch: 5 });
  lengths.forEach((length, index) => {
    batch.add(slotOf(recordOf(index + 1, length)), 0);
  });
  return batch.take() as BenchMessage;
};

const eventsOf = ({ body }: BenchMessage) => {
  const offsets = recordOffsets(body) ?? [];
  const view = new DataView(body.buffer, body.byteOffset);
  return offsets.slice(0, -1).map((at) => readFrm2(view, at));
};

describe('a batch of frames', () => {
  it('contains whole records with the epoch of the daemon', () => {
    const message = batchOf([8, 0, 64, 3]);
    expect(message).toMatchObject({ kind: 'frames', first: 1, last: 4, count: 4, missed: 0 });
    expect(message.body.length).toBe(4 * 64 + 75);
    const events = eventsOf(message);
    expect(events.map(({ eventId }) => eventId)).toEqual([1, 2, 3, 4]);
    expect(events.map(({ data }) => data.length)).toEqual([8, 0, 64, 3]);
    expect(events.every(({ streamEpoch }) => streamEpoch === 5)).toBe(true);
  });

  it('is full after as many records as a message may have, or bytes', () => {
    const batch = new FrameBatch({ subject: 's', boot: 'boot', epoch: 5 });
    const slot = slotOf(recordOf(1, 64));
    for (let left = maxBatchRecords; left > 0; left--) {
      expect(batch.isFull(maxBatchBytes)).toBe(false);
      batch.add(slot, 0);
    }
    expect(batch.isFull(maxBatchBytes)).toBe(true);
    batch.take();
    batch.add(slot, 0);
    expect([batch.isFull(256), batch.isFull(255)]).toEqual([false, true]);
  });

  it('has nothing after it was taken, and can be filled again', () => {
    const batch = new FrameBatch({ subject: 's', boot: 'boot', epoch: 5 });
    batch.add(slotOf(recordOf(1, 8)), 0);
    const first = batch.take();
    expect(batch.take()).toBeNull();
    batch.add(slotOf(recordOf(2, 8)), 0);
    expect(batch.take()).toMatchObject({ first: 2, last: 2, count: 1 });
    expect(eventsOf(first as BenchMessage).map(({ eventId }) => eventId)).toEqual([1]);
  });

  it('leaves room for headers in a small payload, and has room for one record in any', () => {
    expect(batchBytes(1024 * 1024)).toBe(maxBatchBytes);
    expect(batchBytes(8192)).toBe(8192 - 1024);
    expect(batchBytes(100)).toBe(128);
  });

  it('can be split between records into parts that have all of them once', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 64 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 128, max: 1000 }), (all, limit) => {
        const message = batchOf(all);
        const parts = splitBatch(message, limit);
        expect(parts.flatMap(eventsOf)).toEqual(eventsOf(message));
        for (const part of parts) {
          const ids = eventsOf(part).map(({ eventId }) => eventId);
          expect(part.body.length).toBeLessThanOrEqual(limit);
          expect([part.first, part.last, part.count]).toEqual([ids[0], ids.at(-1), ids.length]);
        }
      }),
    );
  });

  it('is not read from bytes that are not whole records', () => {
    const { body } = batchOf([8, 8]);
    expect(recordOffsets(body)).toEqual([0, 72, 144]);
    expect(recordOffsets(new Uint8Array(0))).toEqual([0]);
    expect(recordOffsets(body.subarray(0, 143))).toBeNull();
    expect(recordOffsets(body.subarray(0, 100))).toBeNull();
    const broken = body.slice();
    broken[72] = 0;
    expect(recordOffsets(broken)).toBeNull();
  });
});
