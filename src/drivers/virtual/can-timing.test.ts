import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { type OpenCan, sendHex, VirtualRig } from './testing/virtual-rig.ts';

const { brs, extended, fd, remote } = frameFlag;
const interframeBits = 3;

const openPair = async (bitrate = 500_000, dataBitrate = 2_000_000) => {
  const rig = new VirtualRig();
  const sender = await rig.openCan(0, { bitrate, dataBitrate });
  const receiver = await rig.openCan(1, { bitrate, dataBitrate });
  return { rig, sender, receiver };
};

/** End time of each frame, in microseconds since the start of the test. */
const ends = (rig: VirtualRig, { events }: OpenCan): number[] =>
  events.all.map((event) => rig.sinceStart(event));

describe('a frame on the virtual CAN bus', () => {
  it.each([
    { id: 0x123, hex: '', bits: 48 },
    { id: 0x000, hex: '0000000000000000', bits: 127 },
    { id: 0x7ff, hex: 'FFFFFFFFFFFFFFFF', bits: 126 },
    { id: 0x6f8, hex: 'FF000CFE00000000', bits: 124 },
    { id: 0x221, hex: 'C24A058100001510', bits: 117 },
    { id: 0x3ff, hex: '55AA010203040506', dlc: 13, bits: 119 },
    { id: 0x1234_5678, hex: 'DEADBEEF', flags: extended, bits: 101 },
    { id: 0x18eb_ff00, hex: '01A00FA6603BD140', flags: extended, bits: 141 },
    { id: 0x011, hex: `${'00'.repeat(14)}59C0`, flags: fd, dlc: 10, bits: 214 },
  ])('takes $bits bits with id $id and data $hex', async ({ id, hex, bits, flags = 0, dlc }) => {
    for (const bitrate of [125_000, 500_000, 1_000_000]) {
      const { rig, sender, receiver } = await openPair(bitrate);
      sendHex(sender.channel, id, hex, { flags, ...(dlc === undefined ? {} : { dlc }) });
      rig.advanceUs(10_000);
      const endUs = ((bits - interframeBits) * 1e6) / bitrate;
      expect(ends(rig, sender)).toEqual([endUs]);
      expect(ends(rig, receiver)).toEqual([endUs]);
    }
  });

  it('runs its data phase at the data rate if it says so', async () => {
    const { rig, sender } = await openPair(500_000, 2_000_000);
    const hex = `${'00'.repeat(14)}59C0`;
    sendHex(sender.channel, 0x011, hex, { flags: fd | brs, dlc: 10 });
    rig.advanceUs(10_000);
    // 17 bits to BRS, 1 stuffed, 9 after the CRC at 2 µs; the other 184 bits at 0.5 µs.
    expect(ends(rig, sender)).toEqual([(17 + 1 + 9) * 2 + 184 / 2]);
  });

  it('asks for data without having any in a remote frame', async () => {
    const { rig, sender, receiver } = await openPair();
    sendHex(sender.channel, 0x123, '', { flags: remote, dlc: 8 });
    rig.advanceUs(1_000);
    expect(receiver.events.received).toMatchObject([
      { id: 0x123, flags: remote, dlc: 8, data: '', bus: 'can' },
    ]);
  });

  it('starts when the one before it and the interframe space are over', async () => {
    const { rig, sender } = await openPair();
    for (let i = 0; i < 3; i++) sendHex(sender.channel, 0x123);
    rig.advanceUs(1_000);
    expect(ends(rig, sender)).toEqual([90, 96 + 90, 2 * 96 + 90]);
  });

  it('has its exact time however late the bench looks', async () => {
    const { rig, sender, receiver } = await openPair();
    sendHex(sender.channel, 0x123);
    rig.advanceUs(37.5);
    sendHex(receiver.channel, 0x123);
    rig.advanceUs(1_000_000);
    expect(ends(rig, sender)).toEqual([90, 186]);
  });

  it('starts at once on a bus that is free', async () => {
    const { rig, sender } = await openPair();
    rig.advanceUs(12_345);
    sendHex(sender.channel, 0x123);
    rig.advanceUs(1_000);
    expect(ends(rig, sender)).toEqual([12_345 + 90]);
  });

  it('occupies the bus for all who are on it', async () => {
    const { rig, sender, receiver } = await openPair();
    const other = await rig.openCan(2);
    for (let i = 0; i < 10; i++) sendHex(sender.channel, 0x123);
    rig.advanceUs(10_000);
    expect(sender.channel.stats().busyUs).toBe(960);
    expect(receiver.channel.stats().busyUs).toBe(960);
    expect(other.channel.stats().busyUs).toBe(0);
  });
});

describe('the virtual bus as a whole', () => {
  it('wakes up no more often than every 250 µs, and when the first frame is done', async () => {
    const { rig, sender } = await openPair(1_000_000);
    const wakes: number[] = [];
    for (let i = 0; i < 100; i++) sendHex(sender.channel, 0x123);
    let last = rig.clock.monotonicUs();
    while (rig.scheduler.nextDeadlineUs !== Number.POSITIVE_INFINITY) {
      rig.clock.advanceToUs(rig.scheduler.nextDeadlineUs);
      wakes.push(rig.clock.monotonicUs() - last);
      last = rig.clock.monotonicUs();
    }
    expect(sender.events.completed).toHaveLength(100);
    expect(wakes[0]).toBe(45);
    expect(Math.min(...wakes.slice(1))).toBeGreaterThanOrEqual(250);
  });

  it('sleeps for ever when nobody sends', async () => {
    const { rig } = await openPair();
    expect(rig.scheduler.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('keeps its segments apart', async () => {
    const { rig, sender, receiver } = await openPair();
    const [third, fourth] = [await rig.openCan(2), await rig.openCan(3)];
    sendHex(sender.channel, 0x1);
    sendHex(third.channel, 0x3);
    rig.advanceUs(1_000);
    expect(receiver.events.received.map(({ id }) => id)).toEqual([0x1]);
    expect(fourth.events.received.map(({ id }) => id)).toEqual([0x3]);
  });
});
