import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { LinReadDone } from '../driver-channel.ts';
import { type OpenLin, VirtualRig } from './testing/virtual-rig.ts';

const { enhancedChecksum, sleep, wakeUp } = frameFlag;
const bytes = (...values: number[]) => Uint8Array.from(values);

const openPair = async (bitrate = 10_000) => {
  const rig = new VirtualRig();
  const master = await rig.openLin(4, { bitrate });
  const slave = await rig.openLin(5, { bitrate });
  return { rig, master, slave };
};

/** Records the results of reads as text. */
const outcomes = () => {
  const kept: string[] = [];
  const done: LinReadDone = (outcome, _at, _checksum, payload, offset, length) => {
    const hex = Buffer.from(payload.subarray(offset, offset + length)).toString('hex');
    kept.push(`${outcome} ${hex}`.trim());
  };
  return { kept, done };
};

const kinds = ({ events }: OpenLin) => events.all.map(({ kind, status }) => `${kind} ${status}`);

describe('a LIN slave', () => {
  it('answers with what it has at the end of the header', async () => {
    const { rig, master, slave } = await openPair();
    const { kept, done } = outcomes();
    const answer = (...values: number[]) =>
      slave.channel.setResponse(0x10, 0, bytes(...values), 0, values.length);
    answer(1, 2);
    master.channel.masterRead(0x10, 0, 2, done);
    rig.advanceUs(3_000);
    answer(3, 4);
    rig.advanceUs(3_000);
    answer(5, 6);
    rig.advanceUs(20_000);
    expect(kept).toEqual(['answered 0304']);
  });

  it('stays silent once its response is cleared', async () => {
    const { rig, master, slave } = await openPair();
    const { kept, done } = outcomes();
    slave.channel.setResponse(0x10, 0, bytes(1), 0, 1);
    slave.channel.clearResponse(0x10);
    master.channel.masterRead(0x10, 0, 1, done);
    rig.advanceUs(20_000);
    expect(kept).toEqual(['no_response']);
  });

  it('keeps its responses over a change of settings and a lost device', async () => {
    const { rig, master, slave } = await openPair();
    const { kept, done } = outcomes();
    slave.channel.setResponse(0x10, 0, bytes(9), 0, 1);
    await slave.channel.configure({ group: 'bitrate', bitrate: 10_001 });
    rig.driver.faults.loseDevice();
    rig.driver.faults.returnDevice();
    master.channel.masterRead(0x10, 0, 1, done);
    rig.advanceUs(20_000);
    expect(kept).toEqual(['answered 09']);
  });

  it('can be kept from answering', async () => {
    const { rig, master, slave } = await openPair();
    const { kept, done } = outcomes();
    slave.channel.setResponse(0x10, 0, bytes(9), 0, 1);
    rig.driver.faults.droppedResponses(5, 1);
    for (let i = 0; i < 2; i++) master.channel.masterRead(0x10, 0, 1, done);
    rig.advanceUs(50_000);
    expect(kept).toEqual(['no_response', 'answered 09']);
  });

  it('never answers while it only listens, but hears', async () => {
    const { rig, master, slave } = await openPair();
    const { kept, done } = outcomes();
    slave.channel.setResponse(0x10, 0, bytes(9), 0, 1);
    await slave.channel.configure({ group: 'mode', mode: 'listen_only' });
    master.channel.masterRead(0x10, 0, 1, done);
    rig.advanceUs(20_000);
    expect(kept).toEqual(['no_response']);
    expect(kinds(slave)).toEqual(['rx_frame no_response']);
  });

  it('hears and says nothing without power', async () => {
    const { rig, master, slave } = await openPair();
    slave.channel.setResponse(0x10, 0, bytes(9), 0, 1);
    await slave.channel.configure({ group: 'power', power: false });
    const { kept, done } = outcomes();
    master.channel.masterRead(0x10, 0, 1, done);
    rig.advanceUs(20_000);
    expect(kept).toEqual(['no_response']);
    expect(slave.events.all).toEqual([]);
    expect(slave.channel.wakeUp()).toBe('unpowered');
  });

  it.each([
    [11_000, 'answered 09'],
    [9_000, 'answered 09'],
    [12_500, 'no_response'],
    [19_200, 'no_response'],
  ])('set to %d follows a master of 10000 as far as the sync field allows', async (rate, kept) => {
    const { rig, master, slave } = await openPair();
    await slave.channel.configure({ group: 'bitrate', bitrate: rate });
    slave.channel.setResponse(0x10, 0, bytes(9), 0, 1);
    const seen = outcomes();
    master.channel.masterRead(0x10, 0, 1, seen.done);
    rig.advanceUs(20_000);
    expect(seen.kept).toEqual([kept]);
    const received = kept === 'no_response' ? 'rx_frame sync_error' : 'tx_complete ok';
    expect(kinds(slave)).toEqual([received]);
  });
});

describe('a LIN master', () => {
  it('may answer its own header', async () => {
    const { rig, master, slave } = await openPair();
    const { kept, done } = outcomes();
    master.channel.setResponse(0x10, 0, bytes(7), 0, 1);
    master.channel.masterRead(0x10, 0, 1, done);
    rig.advanceUs(20_000);
    expect(kept).toEqual(['answered 07']);
    expect(kinds(master)).toEqual(['tx_complete ok']);
    expect(slave.events.all).toMatchObject([{ data: '07' }]);
  });

  it('fails to write where a slave answers too', async () => {
    const { rig, master, slave } = await openPair();
    slave.channel.setResponse(0x10, 0, bytes(0x0f), 0, 1);
    master.channel.masterWrite(0x10, 0, bytes(0xf0), 0, 1);
    rig.advanceUs(20_000);
    expect(master.events.failedFrames).toBe(1);
    expect(kinds(master)).toEqual(['rx_frame collision']);
    expect(kinds(slave)).toEqual(['rx_frame collision']);
  });

  it('does not notice a slave that sends the very same', async () => {
    const { rig, master, slave } = await openPair();
    slave.channel.setResponse(0x10, enhancedChecksum, bytes(1, 2), 0, 2);
    master.channel.masterWrite(0x10, enhancedChecksum, bytes(1, 2), 0, 2);
    rig.advanceUs(20_000);
    expect(kinds(master)).toEqual(['tx_complete ok']);
    expect(kinds(slave)).toEqual(['tx_complete ok']);
  });

  it('collides with a second one', async () => {
    const rig = new VirtualRig();
    const one = await rig.openLin(4, { bitrate: 10_000 });
    const two = await rig.openLin(5, { bitrate: 10_000, lin: { role: 'master' } });
    const { kept, done } = outcomes();
    one.channel.masterWrite(0x10, 0, bytes(1), 0, 1);
    rig.advanceUs(1_000);
    two.channel.masterRead(0x20, 0, 1, done);
    rig.advanceUs(50_000);
    expect(kept).toEqual(['collision']);
    expect(one.events.failedFrames).toBe(1);
    for (const { events } of [one, two]) {
      expect(events.all).toMatchObject([{ id: 0x10, flags: frameFlag.error, status: 'collision' }]);
      expect(events.all.map((event) => rig.sinceStart(event))).toEqual([1_000 + 3_400]);
    }
    two.channel.masterWrite(0x10, 0, bytes(1), 0, 1);
    rig.advanceUs(50_000);
    expect(two.events.completed).toHaveLength(1);
  });
});

describe('sleep and wake-up on the virtual LIN bus', () => {
  const goToSleep = bytes(0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);

  it('marks the frame that sends the bus to sleep', async () => {
    const { rig, master, slave } = await openPair();
    master.channel.masterWrite(0x3c, 0, goToSleep, 0, 8);
    rig.advanceUs(20_000);
    expect(master.events.all).toMatchObject([{ flags: sleep, checksum: 0 }]);
    expect(slave.events.all).toMatchObject([{ flags: sleep, data: '00FFFFFFFFFFFFFF' }]);
  });

  it('lets any node wake the others with a pulse', async () => {
    const { rig, master, slave } = await openPair();
    master.channel.masterWrite(0x3c, 0, goToSleep, 0, 8);
    rig.advanceUs(20_000);
    master.events.clear();
    slave.events.clear();
    expect(slave.channel.wakeUp()).toBe('accepted');
    rig.advanceUs(5_000);
    expect(slave.events.all).toMatchObject([{ kind: 'tx_complete', flags: wakeUp }]);
    expect(master.events.all).toMatchObject([{ kind: 'rx_frame', flags: wakeUp }]);
  });

  it('takes traffic for a wake-up, once', async () => {
    const { rig, master, slave } = await openPair();
    master.channel.masterWrite(0x3c, 0, goToSleep, 0, 8);
    for (let i = 0; i < 2; i++) master.channel.masterWrite(0x10, 0, bytes(1), 0, 1);
    rig.advanceUs(50_000);
    const flags = slave.events.all.map((event) => event.flags & (sleep | wakeUp));
    expect(flags).toEqual([sleep, wakeUp, 0, 0]);
    expect(master.events.all.map((event) => event.flags)).toEqual([sleep, 0, 0]);
  });

  it('waits with a pulse until the bus is free', async () => {
    const { rig, master, slave } = await openPair();
    master.channel.masterWrite(0x10, 0, bytes(1), 0, 1);
    rig.advanceUs(1_000);
    slave.channel.wakeUp();
    rig.advanceUs(200);
    master.channel.masterWrite(0x11, 0, bytes(1), 0, 1);
    rig.advanceUs(50_000);
    expect(kinds(slave)).toEqual([
      'rx_frame checksum_error',
      'tx_complete ok',
      'rx_frame checksum_error',
    ]);
    expect(slave.events.all.map((event) => rig.sinceStart(event))).toEqual([5_400, 6_400, 11_800]);
  });
});
