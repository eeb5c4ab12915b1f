import { describe, expect, it } from 'vitest';
import { isLong } from '../../base/testing/long.ts';
import { sendHex, VirtualRig } from './testing/virtual-rig.ts';

describe('loopback', () => {
  it('gives a port its own frames back, in bus time, without anyone else', async () => {
    const rig = new VirtualRig();
    const { channel, events } = await rig.openCan(0, { mode: 'loopback' });
    sendHex(channel, 0x123, 'AA');
    rig.advanceUs(1_000);
    expect(events.all).toMatchObject([
      { kind: 'tx_complete', id: 0x123, data: 'AA', hardwareSequence: 0 },
      { kind: 'rx_frame', id: 0x123, data: 'AA', hardwareSequence: 1 },
    ]);
    expect(events.all[0]?.timestampUs).toBe(events.all[1]?.timestampUs);
    expect(channel.stats()).toMatchObject({ rxFrames: 1, txFrames: 1, txErrorCount: 0 });
  });

  it('keeps the port off the bus', async () => {
    const rig = new VirtualRig();
    const looped = await rig.openCan(0, { mode: 'loopback' });
    const peer = await rig.openCan(1);
    sendHex(looped.channel, 0x1);
    sendHex(peer.channel, 0x2);
    rig.advanceUs(10_000);
    expect(peer.events.received).toEqual([]);
    expect(looped.events.received.map(({ id }) => id)).toEqual([0x1]);
    expect(peer.channel.stats().busState).toBe('error_passive');
  });

  it('ends when another mode is set', async () => {
    const rig = new VirtualRig();
    const looped = await rig.openCan(0, { mode: 'loopback' });
    const peer = await rig.openCan(1);
    await looped.channel.configure({ group: 'mode', mode: 'normal' });
    sendHex(looped.channel, 0x1);
    rig.advanceUs(1_000);
    expect(peer.events.received).toHaveLength(1);
    expect(looped.events.received).toEqual([]);
  });
});

describe('filters', () => {
  it('tell which one let a frame pass, and keep the others out but acknowledged', async () => {
    const rig = new VirtualRig();
    const sender = await rig.openCan(0);
    const filters = [{ id: 0x100, mask: 0x700 }, { id: 0x234 }];
    const receiver = await rig.openCan(1, { filters });
    for (const id of [0x100, 0x1ff, 0x200, 0x234]) sendHex(sender.channel, id);
    rig.advanceUs(2_000);
    expect(receiver.events.received.map(({ id, filterHit }) => [id, filterHit])).toEqual([
      [0x100, 1],
      [0x1ff, 1],
      [0x234, 2],
    ]);
    expect(sender.events.completed).toHaveLength(4);
  });

  it('are told by a byte: those behind the 255th as the 255th', async () => {
    const rig = new VirtualRig();
    const sender = await rig.openCan(0);
    const filters = Array.from({ length: 300 }, (_, id) => ({ id }));
    const receiver = await rig.openCan(1, { filters });
    for (const id of [253, 254, 255, 299]) sendHex(sender.channel, id);
    rig.advanceUs(2_000);
    expect(receiver.events.received.map(({ id, filterHit }) => [id, filterHit])).toEqual([
      [253, 254],
      [254, 255],
      [255, 255],
      [299, 255],
    ]);
  });

  it('do not hide errors', async () => {
    const rig = new VirtualRig();
    const sender = await rig.openCan(0);
    const receiver = await rig.openCan(1, { filters: [{ id: 0x7ff }] });
    rig.driver.faults.bitErrors(0, 1);
    sendHex(sender.channel, 0x100);
    rig.advanceUs(1_000);
    expect(receiver.events.errors).toHaveLength(1);
  });
});

describe('the hardware sequence', () => {
  it('begins anew with a device that comes back', async () => {
    const rig = new VirtualRig();
    const { channel, events } = await rig.openCan(0, { mode: 'loopback' });
    sendHex(channel, 0x1);
    rig.advanceUs(1_000);
    rig.driver.faults.loseDevice();
    rig.driver.faults.returnDevice();
    sendHex(channel, 0x2);
    rig.advanceUs(1_000);
    const frames = events.all.filter(({ status }) => status === 'ok');
    expect(frames.map(({ id, hardwareSequence }) => [id, hardwareSequence])).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ]);
  });

  it.runIf(isLong)('counts the events of a port and wraps at sixteen bits', async () => {
    const rig = new VirtualRig();
    const { channel, events } = await rig.openCan(0, { mode: 'loopback', bitrate: 1_000_000 });
    for (let sent = 0; sent < 32_769; sent++) {
      sendHex(channel, 0x123);
      if (sent % 1000 === 999) rig.advanceUs(60_000);
    }
    rig.advanceUs(60_000);
    const sequences = events.all.map(({ hardwareSequence }) => hardwareSequence);
    expect(sequences).toEqual(Array.from({ length: 65_538 }, (_, i) => i % 65_536));
  });
});
