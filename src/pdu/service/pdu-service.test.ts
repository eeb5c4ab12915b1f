import { describe, expect, it } from 'vitest';
import { Scratch } from '../../base/scratch-pool.ts';
import type { OpenRing } from '../../broker/testing/bench-of-rings.ts';
import { HubBench } from '../../broker/testing/hub-bench.ts';
import { setFrm2Status, setFrm2TimestampUs, writeFrm2 } from '../../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag } from '../../frame/frm2-layout.ts';
import { isotpPair } from '../isotp/addressing.ts';
import { frame } from '../testing/frames.ts';
import type { PduHistory } from './pdu-history.ts';
import { PduService } from './pdu-service.ts';
import { ListingSink } from './testing/listing-sink.ts';

const announcement = '1CECFF00#200E0002FFCAFE00';
const packets = ['1CEBFF00#0145F1BE00020500', '1CEBFF00#02F0FF7E6E000001'];
const payload = '45F1BE00020500F0FF7E6E000001';
const named = { selector: 'SIM00001/0', channel_name: 'tester' };

interface Written {
  readonly bus: number;
  readonly flags: number;
  readonly status: number;
}

class ServiceRig extends HubBench {
  readonly service = new PduService({
    events: this.hub,
    clock: this.clock,
    selectorOf: (slot) => `SIM00001/${slot}`,
    nameOf: (slot) => (slot === 0 ? 'tester' : null),
    onDefect: (thrown) => this.defects.push(thrown),
  });

  write({ writer }: OpenRing, text: string, more: Partial<Written> = {}): void {
    const { bus = busCode.can, flags = frameFlag.extended, status = 0 } = more;
    const { id, data } = frame(text);
    const { length } = data;
    const { rx_frame } = eventKindCode;
    const at = writer.reserve();
    const { view, channel } = writer;
    writeFrm2(view, at, bus, rx_frame, channel, id, flags, length, data, 0, length);
    setFrm2TimestampUs(view, at, this.clock.unixUs());
    setFrm2Status(view, at, status);
    writer.commit();
  }

  history(after = 0, limit = 100): PduHistory {
    const page = this.service.history({ after, limit, maxBytes: 1_000_000 }, null);
    const scratch = new Scratch();
    let text = '';
    for (let length = page.writeInto(scratch); length > 0; length = page.writeInto(scratch)) {
      text += Buffer.from(scratch.bytes.subarray(0, length)).toString();
    }
    page.close();
    return JSON.parse(text);
  }

  get statuses(): string[] {
    return this.history().pdus.map(({ status }) => status);
  }
}

const started = (slots?: number) => {
  const rig = new ServiceRig();
  const ring = rig.open(0, slots);
  rig.service.start();
  return { rig, ring };
};

describe('PduService', () => {
  it('finds transfers without clients, in time for a history', () => {
    const { rig, ring } = started();
    for (const text of [announcement, ...packets]) rig.write(ring, text);
    expect(rig.history()).toMatchObject({
      pdus: [{ sequence: 1, status: 'complete', data: payload, ...named }],
      next_after: 1,
    });
  });

  it('streams a PDU when its last frame arrives', () => {
    const { rig, ring } = started();
    const sink = new ListingSink();
    rig.service.subscribe({}, null, sink);
    rig.write(ring, announcement);
    rig.write(ring, packets[0] as string);
    rig.settle();
    expect(sink.news()).toEqual([]);
    rig.write(ring, packets[1] as string);
    rig.settle();
    expect(sink.news()).toEqual([1, 'flush']);
  });

  it('ends a transfer as lost when its ring overran, never as complete', () => {
    const { rig, ring } = started();
    rig.write(ring, announcement);
    rig.write(ring, packets[0] as string);
    rig.clock.advanceUs(250_000);
    for (let i = 0; i < 200; i++) rig.write(ring, '18FEF100#0000000000000000');
    rig.write(ring, packets[1] as string);
    const [lost, ...others] = rig.history().pdus;
    expect(lost).toMatchObject({ status: 'lost', data: '', pgn: 0xfeca });
    expect(lost?.findings.map(({ code }) => code)).toEqual(['events_missing']);
    expect(others).toEqual([]);
    for (const text of [announcement, ...packets]) rig.write(ring, text);
    expect(rig.statuses).toEqual(['lost', 'complete']);
  });

  it('ends a transfer on another channel too, whose frames can be among the lost ones', () => {
    const { rig, ring } = started();
    const other = rig.open(1);
    rig.write(other, announcement);
    rig.clock.advanceUs(250_000);
    for (let i = 0; i < 200; i++) rig.write(ring, '18FEF100#0000000000000000');
    expect(rig.history().pdus).toMatchObject([{ status: 'lost', channel: 1 }]);
  });

  it('ends the transfers of a closed channel as open, and leaves those of others', () => {
    const { rig, ring } = started();
    const other = rig.open(1);
    const sink = new ListingSink();
    rig.service.subscribe({}, null, sink);
    for (const each of [ring, other]) rig.write(each, announcement);
    rig.service.channelClosing(0);
    rig.close(ring);
    expect(sink.pdus.map(({ pdu }) => [pdu.channel, pdu.status])).toEqual([[0, 'open']]);
    for (const text of packets) rig.write(other, text);
    rig.settle();
    expect(rig.history().pdus).toMatchObject([
      { channel: 0, status: 'open', ...named },
      { channel: 1, status: 'complete' },
    ]);
  });

  it('completes a transfer whose last frames come just before the channel closes', () => {
    const { rig, ring } = started();
    for (const text of [announcement, ...packets]) rig.write(ring, text);
    rig.service.channelClosing(0);
    rig.close(ring);
    expect(rig.statuses).toEqual(['complete']);
  });

  it('ends a transfer by the clock when the bus is silent', () => {
    const { rig, ring } = started();
    rig.write(ring, announcement);
    rig.clock.advanceUs(1_000_000);
    expect(rig.statuses).toEqual([]);
    rig.clock.advanceUs(600_000);
    expect(rig.statuses).toEqual(['timeout']);
  });

  it.each([
    ['11-bit frames', { flags: 0 }],
    ['CAN FD frames', { flags: frameFlag.extended | frameFlag.fd }],
    ['remote frames', { flags: frameFlag.extended | frameFlag.remote }],
    ['error frames', { flags: frameFlag.extended | frameFlag.error }],
    ['frames of LIN', { bus: busCode.lin }],
    ['events with a status', { status: 1 }],
  ])('ignores %s', (_, written) => {
    const { rig, ring } = started();
    for (const text of [announcement, ...packets]) rig.write(ring, text, written);
    expect(rig.history().pdus).toEqual([]);
  });

  it('finds ISO-TP on CAN, CAN FD and LIN', () => {
    const { rig, ring } = started();
    rig.write(ring, '7E0#0322F190', { flags: 0 });
    rig.write(ring, '18DAF110#037F2278');
    rig.write(ring, '7E8#0008' + '6201020304050607CCCC', { flags: frameFlag.fd });
    rig.write(ring, '3C#01023E00FFFFFFFF', { flags: 0, bus: busCode.lin });
    rig.write(ring, '7E0#0322F190', { flags: 0, status: 1 });
    rig.write(ring, '3C#01023E00FFFFFFFF', { flags: 0 });
    expect(rig.history().pdus).toMatchObject([
      { protocol: 'isotp', id: 0x7e0, extended: false, words: 'ReadDataByIdentifier F190' },
      { protocol: 'isotp', id: 0x18daf110, extended: true, address: null },
      { protocol: 'isotp', id: 0x7e8, data: '6201020304050607' },
      { protocol: 'lin', id: 0x3c, extended: false, address: 1, words: 'TesterPresent' },
    ]);
  });

  it('ends ISO-TP messages like other transfers', () => {
    const { rig, ring } = started();
    const first = '7E8#101462F190574241';
    rig.write(ring, first, { flags: 0 });
    rig.clock.advanceUs(3_250_000);
    expect(rig.statuses).toEqual([]);
    rig.clock.advanceUs(500_000);
    expect(rig.statuses).toEqual(['timeout']);
    rig.write(ring, first, { flags: 0 });
    rig.clock.advanceUs(250_000);
    for (let i = 0; i < 200; i++) rig.write(ring, '18FEF100#0000000000000000');
    expect(rig.statuses).toEqual(['timeout', 'lost']);
    rig.write(ring, first, { flags: 0 });
    rig.service.channelClosing(0);
    expect(rig.statuses).toEqual(['timeout', 'lost', 'open']);
  });

  it('knows the ECUs of the bench and the names of their data, until the channel closes', () => {
    const { rig, ring } = started();
    const pair = isotpPair({ request_id: 0x700, response_id: 0x708 });
    rig.write(ring, '700#0322F190', { flags: 0 });
    rig.service.setEcus(0, [{ pair, dids: new Map([[0xf190, { name: 'vin' }]]) }]);
    rig.write(ring, '700#0322F190', { flags: 0 });
    rig.write(ring, '7E0#0322F190', { flags: 0 });
    expect(rig.history().pdus).toMatchObject([
      { id: 0x700, words: 'ReadDataByIdentifier F190 (vin)' },
      { id: 0x7e0, words: 'ReadDataByIdentifier F190' },
    ]);
  });

  it('filters ISO-TP by identifier, of its width', () => {
    const { rig, ring } = started();
    rig.write(ring, '7E0#0322F190', { flags: 0 });
    rig.write(ring, '18DAF110#037F2278');
    const found = (id: string) => {
      const sink = new ListingSink();
      rig.service.subscribe({ id: [id], after: 0 }, null, sink);
      rig.settle();
      return sink.pdus.map(({ sequence }) => sequence);
    };
    expect([found('7E0'), found('000007E0'), found('18DAF110'), found('7E0-7EF')]).toEqual([
      ...[[1], [], [2], [1]],
    ]);
  });

  it('calls its followers for every PDU until they leave', () => {
    const { rig, ring } = started();
    const seen: number[] = [];
    const leave = rig.service.follow(({ sequence }) => seen.push(sequence));
    rig.write(ring, '18FECA00#00FF6E000001FFFF');
    rig.settle();
    expect(seen).toEqual([1]);
    leave();
    rig.write(ring, '18FECA00#00FF6E000001FFFF');
    expect(rig.history().pdus).toHaveLength(2);
    expect(seen).toEqual([1]);
  });

  it('knows the nodes that have claimed addresses, until their channel closes', () => {
    const { rig, ring } = started();
    rig.write(ring, '18EEFF80#8756525309010201');
    rig.write(ring, '18EEFF81#8856525309010201', { status: 1 });
    rig.write(ring, '18EEFF82#8956525309010201', { flags: 0 });
    expect(rig.service.nodes(null)).toMatchObject([
      { channel: 0, selector: 'SIM00001/0', address: 0x80, name: '0102010953525687', event_id: 1 },
    ]);
    expect(rig.service.nodes([1])).toEqual([]);
    expect(rig.statuses).toEqual([]);
    rig.service.channelClosing(0);
    rig.close(ring);
    expect(rig.service.nodes(null)).toEqual([]);
  });

  it('pages its history by sequence', () => {
    const { rig, ring } = started();
    for (let i = 0; i < 5; i++) rig.write(ring, '18FECA00#00FF6E000001FFFF');
    const first = rig.history(0, 2);
    expect(first.pdus.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(first).toMatchObject({ next_after: 2, oldest_available: 1, newest_available: 5 });
    expect(rig.history(2).pdus.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect(() => rig.history(6)).toThrow(expect.objectContaining({ code: 'cursor_expired' }));
  });

  it('reports a follower that fails, and finds the PDUs for everyone else', () => {
    const { rig, ring } = started();
    const seen: number[] = [];
    rig.service.follow(() => {
      throw new Error('broken follower');
    });
    rig.service.follow(({ sequence }) => seen.push(sequence));
    rig.write(ring, announcement);
    rig.write(ring, '18FECA21#00FF6E000001FFFF');
    for (const text of packets) rig.write(ring, text);
    rig.settle();
    expect(rig.defects).toEqual([new Error('broken follower'), new Error('broken follower')]);
    expect(seen).toEqual([1, 2]);
    expect(rig.statuses).toEqual(['complete', 'complete']);
  });

  it('leaves no timer and no subscription when it closes', () => {
    const { rig, ring } = started();
    const sink = new ListingSink();
    rig.service.subscribe({}, null, sink);
    rig.write(ring, announcement);
    rig.settle();
    rig.service.close();
    expect(sink.news()).toEqual(['end shut_down']);
    rig.hub.close();
    expect(rig.clock.pendingTimers).toBe(0);
    expect(rig.defects).toEqual([]);
  });
});
