import { describe, expect, it } from 'vitest';
import { canErrorClass } from '../../frame/can-error-frame.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { OpenSettings } from '../channel-settings.ts';
import { sendHex, VirtualRig } from './testing/virtual-rig.ts';

const openPair = async (one: OpenSettings = {}, two: OpenSettings = {}) => {
  const rig = new VirtualRig();
  return { rig, sender: await rig.openCan(0, one), receiver: await rig.openCan(1, two) };
};

/** Bit rates by clock ticks per bit. */
const bitOf = (ticks: number, dataTicks = 40): OpenSettings => ({
  timing: {
    nominal: { prescaler: 1, tseg1: ticks - 101, tseg2: 100, sjw: 50 },
    data: { prescaler: 1, tseg1: dataTicks - 17, tseg2: 16, sjw: 8 },
  },
});

describe('bit errors', () => {
  it('cost the sender eight and the receiver one, and the frame is sent again', async () => {
    const { rig, sender, receiver } = await openPair();
    rig.driver.faults.bitErrors(0, 3);
    sendHex(sender.channel, 0x123);
    rig.advanceUs(5_000);
    expect(sender.events.completed).toHaveLength(1);
    expect(receiver.events.received).toHaveLength(1);
    expect(sender.channel.stats()).toMatchObject({ txErrorCount: 23, errorFrames: 3 });
    expect(receiver.channel.stats()).toMatchObject({ rxErrorCount: 2, errorFrames: 3 });
    const { busError, counters, protocol } = canErrorClass;
    expect(sender.events.errors.map(({ id, data }) => [id, data])).toEqual([
      [protocol | busError | counters, '0000810800000800'],
      [protocol | busError | counters, '0000810800001000'],
      [protocol | busError | counters, '0000810800001800'],
    ]);
    expect(receiver.events.errors.map(({ data }) => data)).toEqual([
      '0000040800000001',
      '0000040800000002',
      '0000040800000003',
    ]);
  });

  it('cost exact time: up to the CRC, the flags of both, and the interframe space', async () => {
    const { rig, sender } = await openPair();
    rig.driver.faults.bitErrors(0, 1);
    sendHex(sender.channel, 0x123);
    rig.advanceUs(5_000);
    const errorBits = 48 - 12;
    expect(sender.events.all.map((event) => rig.sinceStart(event))).toEqual([
      errorBits * 2,
      (errorBits + 6 + 6 + 8 + 3 + 48 - 3) * 2,
    ]);
  });

  it('drive the sender off the bus with the 32nd, and fail what it had to send', async () => {
    const { rig, sender, receiver } = await openPair();
    rig.driver.faults.bitErrors(0, 32);
    for (let i = 0; i < 5; i++) sendHex(sender.channel, 0x123);
    rig.advanceUs(20_000);
    expect(sender.events.states).toEqual(['error_warning', 'error_passive', 'bus_off']);
    expect(sender.events.failedFrames).toBe(5);
    expect(sender.channel.stats()).toMatchObject({
      busState: 'bus_off',
      txFailed: 5,
      txPending: 0,
      errorFrames: 32,
    });
    expect(sender.events.errors.at(-1)?.id).toBe(
      canErrorClass.protocol |
        canErrorClass.busError |
        canErrorClass.busOff |
        canErrorClass.counters,
    );
    expect(sendHex(sender.channel, 0x123)).toBe('bus_off');
    expect(receiver.channel.stats()).toMatchObject({ rxErrorCount: 32, busState: 'error_active' });
  });

  it('are over after the 31st: the frame goes out and the sender stays on the bus', async () => {
    const { rig, sender } = await openPair();
    rig.driver.faults.bitErrors(0, 31);
    sendHex(sender.channel, 0x123);
    rig.advanceUs(20_000);
    expect(sender.events.completed).toHaveLength(1);
    expect(sender.channel.stats()).toMatchObject({ txErrorCount: 247, busState: 'error_passive' });
  });

  it('make a CAN FD sender say that it is passive', async () => {
    const { rig, sender, receiver } = await openPair();
    rig.driver.faults.bitErrors(0, 16);
    sendHex(sender.channel, 0x123, 'AA', { flags: frameFlag.fd });
    for (let i = 0; i < 2; i++) sendHex(sender.channel, 0x124, 'AA', { flags: frameFlag.fd });
    sendHex(sender.channel, 0x125, 'AA');
    rig.advanceUs(20_000);
    const { esi, fd } = frameFlag;
    expect(receiver.events.received.map(({ flags }) => flags)).toEqual([fd | esi, fd, fd, 0]);
    expect(sender.events.completed.map(({ flags }) => flags)).toEqual([fd | esi, fd, fd, 0]);
  });
});

describe('a node that is off the bus', () => {
  const driveOff = async () => {
    const opened = await openPair();
    opened.rig.driver.faults.bitErrors(0, 32);
    sendHex(opened.sender.channel, 0x123);
    opened.rig.advanceUs(20_000);
    opened.sender.events.clear();
    opened.receiver.events.clear();
    return opened;
  };

  it('stays there until it is told to recover', async () => {
    const { rig, sender, receiver } = await driveOff();
    rig.advanceUs(60_000_000);
    expect(sender.channel.stats().busState).toBe('bus_off');
    sendHex(receiver.channel, 0x200);
    rig.advanceUs(1_000);
    expect(sender.events.all).toEqual([]);
    expect(receiver.events.completed).toEqual([]);
  });

  it('is back after 128 times 11 bits, with its counts at zero', async () => {
    const { rig, sender } = await driveOff();
    const requestedUs = rig.clock.monotonicUs();
    sender.channel.recover();
    rig.advanceUs(1_000);
    sender.channel.recover();
    rig.advanceUs(128 * 11 * 2 - 1_000 - 1);
    expect(sender.channel.stats().busState).toBe('bus_off');
    expect(sendHex(sender.channel, 0x1)).toBe('bus_off');
    rig.advanceUs(1);
    expect(sender.channel.stats()).toMatchObject({ busState: 'error_active', txErrorCount: 0 });
    expect(sender.events.states).toEqual(['error_active']);
    const [restarted] = sender.events.all;
    expect(restarted).toMatchObject({
      id: canErrorClass.restarted | canErrorClass.counters,
      status: 'state_change',
    });
    expect(restarted && rig.sinceStart(restarted)).toBe(requestedUs - 5_000_000 + 128 * 11 * 2);
  });

  it('sends and receives again afterwards', async () => {
    const { rig, sender, receiver } = await driveOff();
    sender.channel.recover();
    rig.advanceUs(3_000);
    sendHex(sender.channel, 0x123);
    sendHex(receiver.channel, 0x124);
    rig.advanceUs(1_000);
    expect(sender.events.completed).toHaveLength(1);
    expect(sender.events.received).toHaveLength(1);
  });

  it('does nothing when a node that is not off the bus is told to recover', async () => {
    const { rig, sender } = await openPair();
    sender.channel.recover();
    rig.advanceUs(10_000);
    expect(sender.events.all).toEqual([]);
  });
});

describe('nodes that do not understand each other', () => {
  it.each([
    ['another bit rate', { bitrate: 500_000 }, { bitrate: 250_000 }, 0],
    ['a bit rate 2 % higher', bitOf(300), bitOf(294), 0],
    ['a bit rate 2 % lower', bitOf(300), bitOf(306), 0],
    ['no CAN FD', {}, { bus: 'can' }, frameFlag.fd],
    [
      'another data rate',
      { dataBitrate: 2_000_000 },
      { dataBitrate: 4_000_000 },
      frameFlag.fd | frameFlag.brs,
    ],
    ['a data rate 2 % higher', bitOf(160, 49), bitOf(160, 48), frameFlag.fd | frameFlag.brs],
  ] as [string, OpenSettings, OpenSettings, number][])(
    'disturb each other until the sender is off the bus: %s',
    async (_, one, two, flags) => {
      const { rig, sender, receiver } = await openPair(one, two);
      sendHex(sender.channel, 0x123, 'AA', { flags });
      rig.advanceUs(100_000);
      expect(sender.channel.stats()).toMatchObject({ busState: 'bus_off', txFailed: 1 });
      expect(receiver.channel.stats()).toMatchObject({ rxErrorCount: 32, rxFrames: 0 });
      // A form error at the reserved bit, where the receiver lost synchronisation.
      expect(receiver.events.errors[0]?.data).toBe('0000020900000001');
      expect(receiver.events.received).toEqual([]);
    },
  );

  it('leave the others alone once they are passive, and still do not acknowledge', async () => {
    const { rig, sender, receiver } = await openPair({}, { bitrate: 250_000 });
    for (let round = 0; round < 4; round++) {
      sendHex(sender.channel, 0x123, 'AA');
      rig.advanceUs(10_000);
      expect(sender.channel.stats().busState).toBe('bus_off');
      sender.channel.recover();
      rig.advanceUs(10_000);
    }
    expect(receiver.channel.stats()).toMatchObject({
      rxErrorCount: 128,
      busState: 'error_passive',
    });
    sendHex(sender.channel, 0x123, 'AA');
    rig.advanceUs(1_000_000);
    expect(sender.channel.stats()).toMatchObject({ busState: 'error_passive', txErrorCount: 128 });
  });

  it('get along where it makes no difference', async () => {
    const { rig, sender, receiver } = await openPair({ dataBitrate: 5_000_000 }, { bus: 'can' });
    sendHex(sender.channel, 0x123, 'AA');
    rig.advanceUs(1_000);
    expect(receiver.events.received).toHaveLength(1);
  });

  it.each([299, 301])('get along where the rates are 0.3 % apart: 300 to %i', async (ticks) => {
    const { rig, sender, receiver } = await openPair(bitOf(300), bitOf(ticks));
    sendHex(sender.channel, 0x123, 'AA', { flags: frameFlag.fd });
    sendHex(receiver.channel, 0x124, 'BB');
    rig.advanceUs(1_000);
    for (const { channel, events } of [sender, receiver]) {
      expect([events.completed.length, events.received.length]).toEqual([1, 1]);
      expect(channel.stats().errorFrames).toBe(0);
    }
  });

  it('leave the others alone if they only listen', async () => {
    const { rig, sender, receiver } = await openPair(
      {},
      { bus: 'can', bitrate: 125_000, mode: 'listen_only' },
    );
    sendHex(sender.channel, 0x123, 'AA');
    rig.advanceUs(50_000);
    expect(sender.channel.stats().busState).toBe('error_passive');
    expect(receiver.channel.stats()).toMatchObject({ rxFrames: 0, rxErrorCount: 0 });
    expect(receiver.channel.stats().errorFrames).toBeGreaterThan(100);
  });
});
