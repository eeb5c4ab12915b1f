import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setFrm2TimestampUs, writeFrm2 } from '../frame/frm2-codec.ts';
import { busCode, eventKindCode, frm2 } from '../frame/frm2-layout.ts';
import { TraceBatch } from '../trace/trace-batch.ts';
import { HeldEvents } from './held-events.ts';

const view = new DataView(new ArrayBuffer(frm2.payload + 64));
const data = Uint8Array.of(1, 2, 3);

const add = (held: HeldEvents, id: number, channel: number, atUs: number): void => {
  writeFrm2(view, 0, busCode.can, eventKindCode.rx_frame, channel, id, 0, 3, data, 0, 3);
  setFrm2TimestampUs(view, 0, atUs);
  held.add(view, 0, 0, channel);
};

/** Reads everything in the order of arrival. */
const drain = (held: HeldEvents): { id: number; channel: number; timeNs: number }[] => {
  const batch = new TraceBatch(held.size);
  const ids = new Float64Array(batch.capacity);
  while (held.size > 0) held.moveOldest(batch, ids);
  return Array.from({ length: batch.count }, (_, row) => ({
    id: batch.id[row] as number,
    channel: batch.channel[row] as number,
    timeNs: batch.timeNs[row] as number,
  }));
};

const event = fc.record({
  channel: fc.integer({ min: 1, max: 4 }),
  stepUs: fc.integer({ min: 0, max: 50 }),
});

describe('HeldEvents', () => {
  it('merges channels that are each in order into one order, equals as they came', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 64 }), (events) => {
        const held = new HeldEvents(64);
        const lastUs = [0, 0, 0, 0, 0];
        const expected = events.map(({ channel, stepUs }, id) => {
          const atUs = (lastUs[channel] ?? 0) + stepUs;
          lastUs[channel] = atUs;
          add(held, id, channel, atUs);
          return { id, channel, timeNs: atUs * 1000 };
        });
        expected.sort((one, other) => one.timeNs - other.timeNs || one.id - other.id);
        expect(drain(held)).toEqual(expected);
      }),
      { seed: 7 },
    );
  });

  it('keeps the order of a channel whose times go back, and the times', () => {
    const held = new HeldEvents(8);
    for (const [id, atUs] of [50, 20, 60].entries()) add(held, id, 1, atUs);
    add(held, 3, 2, 55);
    expect(drain(held)).toEqual([
      { id: 0, channel: 1, timeNs: 50_000 },
      { id: 1, channel: 1, timeNs: 20_000 },
      { id: 3, channel: 2, timeNs: 55_000 },
      { id: 2, channel: 1, timeNs: 60_000 },
    ]);
  });

  it('uses its memory again, and moves an event whole', () => {
    const held = new HeldEvents(8);
    const batch = new TraceBatch(1000);
    const ids = new Float64Array(1000);
    for (let id = 0; id < 500; id++) {
      if (held.isFull) held.moveOldest(batch, ids);
      add(held, id, 1 + (id % 3), id);
    }
    while (held.size > 0) held.moveOldest(batch, ids);
    expect([...batch.id.subarray(0, batch.count)]).toEqual(
      Array.from({ length: 500 }, (_, i) => i),
    );
    expect([...batch.payload.subarray(499 * 64, 499 * 64 + 3)]).toEqual([1, 2, 3]);
    expect([batch.dlc[499], batch.length[499], batch.kind[499]]).toEqual([3, 3, 1]);
  });
});
