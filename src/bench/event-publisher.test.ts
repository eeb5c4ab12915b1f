import { describe, expect, it } from 'vitest';
import { BenchOfRings } from '../broker/testing/bench-of-rings.ts';
import { busCode, eventKindCode, frameFlag, frm2SlotBytes } from '../frame/frm2-layout.ts';
import { EventPublisher } from './event-publisher.ts';
import { recordsOf } from './testing/ring-records.ts';

const slots = 16;

const startPublishing = () => {
  const bench = new BenchOfRings();
  const { ring, writer } = bench.open(300, slots);
  return { ring, writer, publisher: new EventPublisher(writer) };
};

const payload = Uint8Array.from({ length: 100 }, (_, index) => index);

describe('EventPublisher', () => {
  it('writes every field of an event into one record', () => {
    const { ring, publisher } = startPublishing();
    const { extended, fd, brs } = frameFlag;
    publisher.event(
      eventKindCode.tx_complete,
      busCode.canfd,
      0x18ff50e5,
      extended | fd | brs,
      15,
      2,
      1_700_000_000_123_456,
      0xfffe,
      7,
      0xa5,
      payload,
      30,
      64,
    );
    expect(recordsOf(ring)).toEqual([
      {
        kind: 'tx_complete',
        bus: 'canfd',
        channel: 300,
        id: 0x18ff50e5,
        flags: extended | fd | brs,
        dlc: 15,
        status: 2,
        timestampUs: 1_700_000_000_123_456,
        hardwareSequence: 0xfffe,
        filterHit: 7,
        checksum: 0xa5,
        data: payload.slice(30, 94),
        eventId: 1,
        sourceSequence: 1,
        streamEpoch: 0,
      },
    ]);
  });

  it('leaves nothing of what its slot held before', () => {
    const { ring, writer, publisher } = startPublishing();
    for (let record = 0; record < slots; record++) {
      writer.publish(new Uint8Array(frm2SlotBytes).fill(0xff));
    }
    publisher.event(eventKindCode.rx_frame, busCode.can, 1, 0, 0, 0, 5, 0, 0, 0, payload, 0, 0);
    expect(recordsOf(ring).at(-1)).toEqual({
      kind: 'rx_frame',
      bus: 'can',
      channel: 300,
      id: 1,
      flags: 0,
      dlc: 0,
      status: 0,
      timestampUs: 5,
      hardwareSequence: 0,
      filterHit: 0,
      checksum: 0,
      data: new Uint8Array(),
      eventId: slots + 1,
      sourceSequence: slots + 1,
      streamEpoch: 0,
    });
  });

  it('goes on in the new memory of a ring that has grown', () => {
    const { ring, writer, publisher } = startPublishing();
    const publish = (id: number): void =>
      publisher.event(eventKindCode.rx_frame, busCode.can, id, 0, 0, 0, 5, 0, 0, 0, payload, 0, 0);
    for (let id = 0; id < slots; id++) publish(id);
    writer.grow(4 * slots);
    for (let id = slots; id < 3 * slots; id++) publish(id);
    const ids = recordsOf(ring).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 3 * slots }, (_, id) => id));
  });
});
