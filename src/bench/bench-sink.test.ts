import { describe, expect, it } from 'vitest';
import { BenchOfRings } from '../broker/testing/bench-of-rings.ts';
import {
  setFrm2Status,
  setFrm2TimestampUs,
  setFrm2TxNumber,
  writeFrm2,
} from '../frame/frm2-codec.ts';
import { busCode, eventKindCode, frm2SlotBytes } from '../frame/frm2-layout.ts';
import { BenchSink } from './bench-sink.ts';
import { recordsOf } from './testing/ring-records.ts';

const slots = 16;
const nothing = new Uint8Array(0);

const setUp = () => {
  const bench = new BenchOfRings();
  const { ring, writer } = bench.open(300, slots);
  const defects: unknown[] = [];
  const sink = new BenchSink({ handle: ring, writer }, (thrown) => defects.push(thrown));
  const received: string[] = [];
  sink.frames.add((record, at) => received.push(`received ${record.getUint32(at + 12)}`));
  sink.sentFrames.add((record, at) => received.push(`sent ${record.getUint32(at + 12)}`));
  sink.outcomes = {
    sent: (number, timestampUs) => received.push(`outcome ${number} at ${timestampUs}`),
    failed: (frames, last) => received.push(`${frames} failed up to ${last}`),
    moved: () => received.push('moved'),
    missed: () => received.push('missed'),
  };
  const publish = (
    kind: keyof typeof eventKindCode,
    { id = 0, status = 0, number = 0, timestampUs = 5 } = {},
  ) => {
    const at = sink.reserve();
    const { view, channel } = sink;
    writeFrm2(view, at, busCode.can, eventKindCode[kind], channel, id, 0, 0, nothing, 0, 0);
    setFrm2Status(view, at, status);
    setFrm2TimestampUs(view, at, timestampUs);
    setFrm2TxNumber(view, at, number);
    sink.commit();
  };
  return { ring, writer, sink, heard: received, defects, publish };
};

describe('BenchSink', () => {
  it('publishes a run across the end of the ring, and tells each record of it in order', () => {
    const bench = new BenchOfRings();
    const { ring, writer } = bench.open(0, 64);
    const sink = new BenchSink({ handle: ring, writer }, () => undefined);
    for (let record = 0; record < 62; record++) writer.publish(new Uint8Array(frm2SlotBytes));
    const ids: number[] = [];
    sink.frames.add((record, at) => {
      ids.push(record.getUint32(at + 12));
      // An event published by a listener follows the burst and is reported immediately.
      if (ids.length !== 1) return;
      const own = sink.reserve();
      writeFrm2(sink.view, own, busCode.can, eventKindCode.rx_frame, 0, 99, 0, 0, nothing, 0, 0);
      sink.commit();
    });
    const first = sink.reserve(5);
    expect([first, sink.offsetOf(2)]).toEqual([62 * frm2SlotBytes, 0]);
    for (let i = 0; i < 5; i++) {
      const at = sink.offsetOf(i);
      writeFrm2(sink.view, at, busCode.can, eventKindCode.rx_frame, 0, i, 0, 0, nothing, 0, 0);
    }
    sink.commit();
    expect(ids).toEqual([0, 99, 1, 2, 3, 4]);
    expect(recordsOf(ring).slice(-6)).toMatchObject([0, 1, 2, 3, 4, 99].map((id) => ({ id })));
  });

  it('publishes what a driver writes in place, and nothing of what the slot held before', () => {
    const { ring, writer, publish } = setUp();
    for (let record = 0; record < slots; record++) {
      writer.publish(new Uint8Array(frm2SlotBytes).fill(0xff));
    }
    publish('rx_frame', { id: 0x123, status: 2, timestampUs: 1_700_000_000_123_456 });
    expect(recordsOf(ring).at(-1)).toEqual({
      kind: 'rx_frame',
      bus: 'can',
      channel: 300,
      id: 0x123,
      flags: 0,
      dlc: 0,
      status: 2,
      timestampUs: 1_700_000_000_123_456,
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
    const { ring, writer, publish } = setUp();
    for (let id = 0; id < slots; id++) publish('rx_frame', { id });
    writer.grow(4 * slots);
    for (let id = slots; id < 3 * slots; id++) publish('rx_frame', { id });
    expect(recordsOf(ring).map(({ id }) => id)).toEqual(
      Array.from({ length: 3 * slots }, (_, id) => id),
    );
  });

  it('hands good frames to those who listen, and no errors', () => {
    const { heard: received, publish } = setUp();
    publish('rx_frame', { id: 1 });
    publish('rx_frame', { id: 2, status: 3 });
    publish('tx_complete', { id: 3 });
    expect(received).toEqual(['received 1', 'sent 3', 'moved']);
  });

  it('tells the outcomes of accepted frames, and none of what a device sends by itself', () => {
    const { heard: received, sink, publish } = setUp();
    publish('tx_complete', { id: 1, number: 0, timestampUs: 10 });
    publish('tx_complete', { id: 2, number: 1, timestampUs: 20 });
    sink.failed(3, 4, 30);
    expect(received).toEqual(['sent 1', 'moved', 'sent 2', 'outcome 1 at 20', '3 failed up to 4']);
  });

  it('publishes before anyone is told, so that who hears of a record may write the next', () => {
    const { ring, sink, publish, defects } = setUp();
    const published: number[] = [];
    const stop = sink.frames.add(() => {
      stop();
      published.push(recordsOf(ring).length);
      publish('rx_frame', { id: 2 });
    });
    publish('rx_frame', { id: 1 });
    expect([published, recordsOf(ring).map(({ id }) => id), defects]).toEqual([[1], [1, 2], []]);
  });
});
