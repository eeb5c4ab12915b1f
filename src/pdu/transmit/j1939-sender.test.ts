import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Channel } from '../../bench/channel.ts';
import type { FoundChannel } from '../../bench/channel-table.ts';
import { TableRig } from '../../bench/testing/table-rig.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { formatHex, hexDigits } from '../../frame/hex-bytes.ts';
import { frame } from '../testing/frames.ts';
import type { J1939SendRequest } from './j1939-message.ts';
import type { J1939SendRecord } from './j1939-record.ts';
import { J1939Sender, maxTransfers } from './j1939-sender.ts';

const thirty = formatHex(Uint8Array.from({ length: 30 }, (_, i) => i + 1));
const requestFrame = '1CEC8000#101E0005FF00EF00';

interface Watched {
  record?: J1939SendRecord;
  error?: BusbarError;
}

class J1939Rig extends TableRig {
  readonly sender = new J1939Sender({ clock: this.clock, scheduler: this.scheduler });

  found(channel: Channel): FoundChannel {
    return { channel, text: channel.selector, kind: 'serial', resolved: null };
  }

  start(channel: Channel, more: Partial<J1939SendRequest>, signal?: AbortSignal): Watched {
    const watched: Watched = {};
    const request = { pgn: 0xef00, source: 0, priority: 6, data: thirty, ...more };
    this.sender.send(this.found(channel), request, signal).then(
      (record) => {
        watched.record = record;
      },
      (thrown) => {
        watched.error = BusbarError.from(thrown);
      },
    );
    return watched;
  }

  async pass(us: number): Promise<void> {
    await nextTurn();
    this.clock.advanceUs(us);
    await nextTurn();
  }

  /** A frame of another node. */
  answer({ outbox }: Channel, text: string): void {
    const { id, data } = frame(text);
    const { length } = data;
    const lane = outbox.open({});
    expect(lane.send(id, frameFlag.extended, length, data, 0, length)).toBe('accepted');
    lane.close();
  }

  received({ slot }: Channel): string[] {
    return this.records(slot)
      .filter(({ kind }) => kind === 'rx_frame')
      .map(({ id, data }) => `${hexDigits(id, 8)}#${formatHex(data)}`);
  }
}

const openPair = async () => {
  const rig = new J1939Rig();
  return { rig, one: await rig.open(0), two: await rig.open(1) };
};

const packetOf = (text: string): number => Number.parseInt(text.slice(9, 11), 16);

describe('J1939Sender', () => {
  it('sends a single frame when the port is free', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { pgn: 0xfeca, data: '00FF6E000001FFFF', priority: 3 });
    await rig.pass(1000);
    expect(sent.record).toMatchObject({ method: 'frame', frames: 1, length: 8 });
    expect(rig.received(two)).toEqual(['0CFECA00#00FF6E000001FFFF']);
  });

  it.each([
    ['a single frame', { data: '00FF6E000001FFFF' }],
    ['a broadcast', {}],
    ['a transfer', { destination: 0x80 }],
  ])('fails for %s that no other node acknowledges', async (_, message) => {
    const rig = new J1939Rig();
    const sent = rig.start(await rig.open(0), message);
    await rig.pass(999_000);
    expect(sent).toEqual({});
    await rig.pass(2000);
    expect(sent.error).toMatchObject({
      code: 'hardware_timeout',
      details: { limit_us: 1_000_000 },
    });
    expect(sent.record).toBeUndefined();
  });

  it('waits 50 ms between the frames of a broadcast', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, {});
    await rig.pass(40_000);
    for (let packet = 1; packet <= 5; packet++) {
      expect(rig.received(two)).toHaveLength(packet);
      expect(sent.record).toBeUndefined();
      await rig.pass(51_000);
    }
    expect(sent.record).toMatchObject({ method: 'broadcast', frames: 6 });
    expect(sent.record?.duration_us).toBeGreaterThanOrEqual(250_000);
  });

  it('sends the packets that a receiver asks for, again too', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { destination: 0x80 });
    await rig.pass(10_000);
    expect(rig.received(two)).toEqual([requestFrame]);
    rig.answer(two, '18EC0080#110301FFFF00EF00');
    await rig.pass(10_000);
    rig.answer(two, '18EC0080#110203FFFF00EF00');
    await rig.pass(10_000);
    rig.answer(two, '18EC0080#110105FFFF00EF00');
    await rig.pass(10_000);
    expect(rig.received(two).slice(1).map(packetOf)).toEqual([1, 2, 3, 3, 4, 5]);
    expect(sent.record).toBeUndefined();
    rig.answer(two, '18EC0080#131E0005FF00EF00');
    await rig.pass(10_000);
    expect(sent.record).toMatchObject({ method: 'transfer', frames: 7 });
  });

  it.each([
    ['another node', '18EC0081#110501FFFF00EF00'],
    ['an answer to another node', '18EC0180#110501FFFF00EF00'],
    ['another group', '18EC0080#110501FFFF00EE00'],
  ])('ignores a CTS of %s', async (_, text) => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { destination: 0x80 });
    await rig.pass(10_000);
    rig.answer(two, text);
    await rig.pass(100_000);
    expect(rig.received(two)).toEqual([requestFrame]);
    expect(sent).toEqual({});
  });

  it('aborts after a CTS between two packets, although one is at the port', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { destination: 0x80 });
    await rig.pass(10_000);
    rig.answer(two, '18EC0080#110501FFFF00EF00');
    rig.answer(two, '18EC0080#110501FFFF00EF00');
    await rig.pass(20_000);
    expect(sent.error).toMatchObject({ code: 'j1939_aborted', details: { reason: 'bad_answer' } });
    expect(rig.received(two).at(-1)).toBe('1CEC8000#FF04FFFFFF00EF00');
  });

  it('fails with the reason of an abort, and sends nothing after it', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { destination: 0x80 });
    await rig.pass(10_000);
    rig.answer(two, '18EC0080#FF02FFFFFF00EF00');
    await rig.pass(10_000);
    expect(sent.error).toMatchObject({
      code: 'j1939_aborted',
      details: { reason: 'abort_resources', abort_reason: 2, channel: 'SIM00001/0' },
    });
    await rig.pass(3_000_000);
    expect(rig.received(two)).toEqual([requestFrame]);
  });

  it('aborts 1.25 s after a request without answer', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { destination: 0x80 });
    await rig.pass(1_250_000);
    expect(sent).toEqual({});
    await rig.pass(10_000);
    expect(sent.error?.code).toBe('j1939_timeout');
    expect(rig.received(two)).toEqual([requestFrame, '1CEC8000#FF03FFFFFF00EF00']);
  });

  it('refuses a second transfer of two addresses until the first one ends', async () => {
    const { rig, one } = await openPair();
    rig.start(one, { destination: 0x80 });
    const second = rig.start(one, { destination: 0x80 });
    const single = rig.start(one, { destination: 0x80, data: '01' });
    const other = rig.start(one, { destination: 0x81 });
    await rig.pass(10_000);
    expect(second.error).toMatchObject({ code: 'busy', details: { field: 'source' } });
    expect(single.record).toMatchObject({ method: 'frame' });
    expect(other).toEqual({});
    await rig.pass(1_300_000);
    const third = rig.start(one, { destination: 0x80 });
    await rig.pass(10_000);
    expect(third).toEqual({});
  });

  it('refuses a transfer more than its limit, and accepts it when one has ended', async () => {
    const { rig, one } = await openPair();
    const request = (i: number) => ({ source: i >> 7, destination: i & 0x7f });
    const sent = Array.from({ length: maxTransfers }, (_, i) => rig.start(one, request(i)));
    const refused = rig.start(one, request(maxTransfers));
    await rig.pass(0);
    expect(refused.error).toMatchObject({ code: 'capacity_exceeded', details: { limit: 256 } });
    await rig.pass(2_000_000);
    expect(new Set(sent.map(({ error }) => error?.code))).toEqual(new Set(['j1939_timeout']));
    const accepted = rig.start(one, request(maxTransfers));
    await rig.pass(10_000);
    expect(accepted).toEqual({});
  });

  it('aborts a transfer whose caller has gone', async () => {
    const { rig, one, two } = await openPair();
    const caller = new AbortController();
    const sent = rig.start(one, { destination: 0x80 }, caller.signal);
    await rig.pass(10_000);
    caller.abort();
    await rig.pass(10_000);
    expect(sent.error).toMatchObject({
      code: 'operation_cancelled',
      details: { reason: 'caller_gone' },
    });
    expect(rig.received(two)).toEqual([requestFrame, '1CEC8000#FFFAFFFFFF00EF00']);
  });

  it('aborts a transfer whose caller goes while a frame is at the port', async () => {
    const { rig, one, two } = await openPair();
    const caller = new AbortController();
    const sent = rig.start(one, { destination: 0x80 }, caller.signal);
    await nextTurn();
    caller.abort();
    await rig.pass(10_000);
    expect(sent.error?.code).toBe('operation_cancelled');
    expect(rig.received(two)).toEqual([requestFrame, '1CEC8000#FFFAFFFFFF00EF00']);
  });

  it('stops a broadcast whose caller has gone, without an abort', async () => {
    const { rig, one, two } = await openPair();
    const caller = new AbortController();
    const sent = rig.start(one, {}, caller.signal);
    await rig.pass(60_000);
    caller.abort();
    await rig.pass(1_000_000);
    expect(sent.error?.code).toBe('operation_cancelled');
    expect(rig.received(two)).toHaveLength(2);
  });

  it('refuses a caller that has already gone', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, {}, AbortSignal.abort());
    await rig.pass(10_000);
    expect(sent.error?.code).toBe('operation_cancelled');
    expect(rig.received(two)).toEqual([]);
  });

  it('ends with its channel, and accepts the next transfer', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, { destination: 0x80 });
    await rig.pass(10_000);
    const before = rig.scheduler.scheduledTasks;
    for (const channel of [one, two]) {
      await channel.configure(() => ({ group: 'bitrate', bitrate: 250_000 }));
    }
    await rig.pass(0);
    expect(sent.error).toMatchObject({
      code: 'operation_cancelled',
      details: { reason: 'configured' },
    });
    expect(rig.scheduler.scheduledTasks).toBeLessThan(before);
    const next = rig.start(one, { destination: 0x80 });
    await rig.pass(10_000);
    expect(next).toEqual({});
  });

  it('refuses a LIN channel', async () => {
    const { rig } = await openPair();
    const sent = rig.start(await rig.open(4), {});
    await rig.pass(0);
    expect(sent.error).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'channel', reason: 'not_on_bus' },
    });
  });
});
