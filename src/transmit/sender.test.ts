import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { sendFailure, withSelector } from './send-failures.ts';
import { oncePace, SendRig, settle } from './testing/send-rig.ts';

const frame = { id: 0x123, data: 'DEADBEEF' };

const openPair = async () => {
  const rig = new SendRig();
  return { rig, one: await rig.open(0), two: await rig.open(1) };
};

describe('sending one frame', () => {
  it('submits it at once and answers with how the channel was found', async () => {
    const { rig, one, two } = await openPair();
    const sent = rig.start(one, frame);
    expect(one.hardware.stats().txPending).toBe(1);
    await settle();
    expect(sent.answer).toEqual({
      accepted: 1,
      channel: 'SIM00001/0',
      selector_kind: 'serial',
      slot: 3,
      resolved: null,
      response: null,
    });
    await rig.pass(1000);
    expect(two.events.received).toMatchObject([{ id: 0x123, data: 'DEADBEEF', bus: 'can' }]);
    expect(one.listeners).toBe(0);
    expect(rig.scheduler.scheduledTasks).toBeLessThanOrEqual(1);
  });

  it('tells what a network stands for', async () => {
    const { rig, one } = await openPair();
    const found = { channel: one, text: 'body', kind: 'network', resolved: one.selector } as const;
    expect(await rig.sender.send(found, { channel: 'body', ...oncePace, ...frame })).toMatchObject({
      channel: 'body',
      selector_kind: 'network',
      resolved: 'SIM00001/0',
    });
    const refused = rig.sender.send(found, { channel: 'body', ...oncePace, id: 0x800 });
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      details: {
        field: 'id',
        channel: 'body',
        selector_kind: 'network',
        resolved: 'SIM00001/0',
      },
    });
  });

  it('sends every kind of frame there is', async () => {
    const rig = new SendRig();
    const [master, slave] = [await rig.open(4), await rig.open(5)];
    rig.start(master, { type: 'sync-break' });
    rig.start(master, { type: 'master-write', id: 0x10, data: '0102' });
    rig.start(master, { frame: '1A#0304' });
    await rig.pass(100_000);
    expect(slave.events.received).toMatchObject([
      { flags: 1 << 11 },
      { id: 0x10, data: '0102' },
      { id: 0x1a, data: '0304' },
    ]);
    const { one, two, rig: canRig } = await openPair();
    canRig.start(one, { frame: '123#R4' });
    canRig.start(one, { frame: '124##1AABB' });
    canRig.start(one, { ...frame, id: 0x18ff50e5, extended: true });
    await canRig.pass(10_000);
    expect(two.events.received.map(({ id, bus, dlc }) => [id, bus, dlc])).toEqual([
      [0x123, 'can', 4],
      [0x124, 'canfd', 2],
      [0x18ff50e5, 'can', 4],
    ]);
  });
});

describe('a channel that cannot send', () => {
  const refusedWith = { channel: 'SIM00001/0', selector_kind: 'serial', failed_index: 0 };

  it('says that it only listens', async () => {
    const rig = new SendRig();
    const quiet = await rig.open(0, { mode: 'listen_only' });
    const sent = rig.start(quiet, frame);
    await settle();
    expect(sent.error?.code).toBe('channel_cannot_send');
    expect(sent.error?.details).toEqual({ ...refusedWith, reason: 'listen_only', accepted: 0 });
  });

  it('says that it is bus off', async () => {
    const { rig, one } = await openPair();
    rig.driver.faults.bitErrors(0, 100);
    rig.start(one, frame);
    await rig.pass(1_000_000);
    const sent = rig.start(one, frame);
    await settle();
    expect(sent.error?.code).toBe('channel_cannot_send');
    expect(sent.error?.details).toEqual({ ...refusedWith, reason: 'bus_off', accepted: 0 });
  });

  it.each([
    ['not_master', {}],
    ['unpowered', { power: false }],
  ])('says that it is %s', async (reason, settings) => {
    const rig = new SendRig();
    const slave = await rig.open(5, settings);
    const sent = rig.start(slave, { type: 'sync-break' });
    await settle();
    expect(sent.error).toMatchObject({ code: 'channel_cannot_send', details: { reason } });
  });

  it('says that its device is gone', async () => {
    const { rig, one } = await openPair();
    rig.driver.faults.loseDevice();
    const sent = rig.start(one, frame);
    await settle();
    expect(sent.error?.code).toBe('hardware_error');
    expect(sent.error?.details).toEqual({ ...refusedWith, reason: 'device_lost', accepted: 0 });
  });

  it.each([
    [frame, 'type'],
    [{ frame: '123#00' }, 'frame'],
  ])('blames %j on its description if the hardware does not know it', async (request, field) => {
    const { rig, one } = await openPair();
    const { hardware } = one;
    if (hardware.bus !== 'lin') hardware.send = () => 'not_on_bus';
    const sent = rig.start(one, request);
    await settle();
    expect(sent.error).toMatchObject({
      code: 'invalid_argument',
      details: { field, reason: 'not_on_bus', channel: 'SIM00001/0' },
    });
  });

  it('answers for a driver that throws, and serves the next one', async () => {
    const { rig, one } = await openPair();
    const { hardware } = one;
    if (hardware.bus === 'lin') return;
    const { send } = hardware;
    hardware.send = () => {
      throw new TypeError('broken');
    };
    const broken = rig.start(one, frame);
    hardware.send = send;
    const next = rig.start(one, frame);
    await settle();
    expect(broken.error).toMatchObject({
      code: 'internal_error',
      details: { accepted: 0, channel: 'SIM00001/0' },
    });
    expect(next.answer).toMatchObject({ accepted: 1 });
  });
});

describe('the selector in a failed send', () => {
  it('stays as submitted before a channel is found, beside what the lookup knows', () => {
    const lookup = new BusbarError('network_unbound', { details: { selector_kind: 'network' } });
    expect(sendFailure(lookup, 'body').toRecord()).toMatchObject({
      code: 'network_unbound',
      message: lookup.message,
      details: { channel: 'body', selector_kind: 'network' },
    });
  });

  it('leaves the field at fault where it was', async () => {
    const { rig, one } = await openPair();
    const refusal = new BusbarError('invalid_argument', { details: { field: 'dlc' } });
    expect(withSelector(refusal, rig.found(one)).details).toEqual({
      field: 'dlc',
      channel: 'SIM00001/0',
      selector_kind: 'serial',
    });
  });

  it('is told of a defect too', () => {
    expect(sendFailure(new TypeError('x'), '7').toRecord()).toMatchObject({
      code: 'internal_error',
      details: { channel: '7' },
    });
  });
});
