import { describe, expect, it } from 'vitest';
import { HubBench } from '../../broker/testing/hub-bench.ts';
import {
  frm2Channel,
  frm2EventId,
  frm2Id,
  frm2TimestampUs,
  setFrm2TimestampUs,
  writeFrm2,
} from '../../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag, frm2 } from '../../frame/frm2-layout.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import type { LongRecord } from '../../frame/long-record.ts';
import { frame } from '../testing/frames.ts';
import { LongPdus } from './long-pdus.ts';
import { PduService } from './pdu-service.ts';

const transfer = [
  '18EC8021#100A0002FF00EF00',
  '18EB8021#0101020304050607',
  '18EB8021#0208090AFFFFFFFF',
];

const setUp = () => {
  const bench = new HubBench();
  const { writer } = bench.open(0);
  const service = new PduService({
    events: bench.hub,
    clock: bench.clock,
    selectorOf: () => 'SIM00001/0',
    nameOf: () => null,
    onDefect: (thrown) => expect.fail(String(thrown)),
  });
  service.start();
  const records: DataView[] = [];
  const write = (...texts: string[]): void => {
    for (const text of texts) {
      const { id, data } = frame(text);
      const { length } = data;
      const at = writer.reserve();
      const { rx_frame } = eventKindCode;
      const { extended } = frameFlag;
      const { view, channel } = writer;
      writeFrm2(view, at, busCode.can, rx_frame, channel, id, extended, length, data, 0, length);
      setFrm2TimestampUs(view, at, bench.clock.unixUs());
      writer.commit();
      records.push(
        new DataView(view.buffer.slice(view.byteOffset + at, view.byteOffset + at + 128)),
      );
    }
  };
  return { bench, write, records, long: new LongPdus(service) };
};

const shown = ({ view, length }: LongRecord) => ({
  channel: frm2Channel(view, 0),
  id: frm2Id(view, 0),
  event: frm2EventId(view, 0),
  data: formatHex(new Uint8Array(view.buffer, frm2.payload, length)),
});

describe('PDUs longer than a frame', () => {
  it('are records with the identifier of their group, reported from now on', () => {
    const { bench, write, long } = setUp();
    write(...transfer);
    const seen: object[] = [];
    const stop = long.follow((record) => {
      seen.push({ ...shown(record), timeUs: frm2TimestampUs(record.view, 0) });
    });
    write(...transfer, '18FECA21#00FF6E000001FFFF');
    bench.settle();
    expect(seen).toMatchObject([
      { channel: 0, id: 0x18ef8021, event: 6, data: '0102030405060708090A' },
    ]);
    stop();
    write(...transfer);
    bench.settle();
    expect(seen).toHaveLength(1);
  });

  it('are found by the event of their last frame, however late', () => {
    const { write, records, long } = setUp();
    write(...transfer);
    const found = records.map((record) => long.endingWith(record, 0));
    expect(found.map((record) => record && shown(record).data)).toEqual([
      null,
      null,
      '0102030405060708090A',
    ]);
  });

  it('are not found before they are complete, nor if they never are', () => {
    const { write, records, long } = setUp();
    const [announcement = '', first = '', last = ''] = transfer;
    write(announcement, first, first.replace('0102', '0103'), last);
    expect(records.map((record) => long.endingWith(record, 0))).toEqual([null, null, null, null]);
  });
});
