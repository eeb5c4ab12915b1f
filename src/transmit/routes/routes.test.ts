import { beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../bench/channel.ts';
import { canOf } from '../../bench/testing/table-rig.ts';
import { sendHex } from '../../drivers/virtual/testing/virtual-rig.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { TransmitRig, withoutOffload } from '../testing/transmit-rig.ts';
import { waitingCapacity } from './route.ts';

/** Number of unsent frames in the virtual device. */
const queueLength = 1024;
const source = { channel: 'SIM00001/1', id: 0x123 };
const target = { channel: 'SIM00001/2' };

let rig: TransmitRig;
/** `sender` sends to `from`, whose frames are forwarded to `to` and received by `listener`. */
let sender: Channel;
let from: Channel;
let to: Channel;
let listener: Channel;
beforeEach(async () => {
  rig = new TransmitRig();
  sender = await rig.open(0);
  from = await rig.open(1);
  to = await rig.open(2);
  listener = await rig.open(3);
});

const send = (id: number, hex = '', flags = 0) => sendHex(canOf(sender), id, hex, { flags });
const received = () => rig.received(listener).map(({ id, data }) => `${id.toString(16)}#${data}`);
const route = () => rig.routes.list()[0];

describe.each(['the device', 'the daemon'])('a route that runs in %s', (where) => {
  beforeEach(() => {
    if (where === 'the daemon') withoutOffload(from);
  });

  it('passes on the frame it is for, and tells all about itself', async () => {
    const createdAtUs = rig.clock.unixUs();
    const record = await rig.addRoute({ source, target });
    expect(record).toEqual({
      route_id: 'route-1',
      source: {
        channel: 'SIM00001/1',
        selector_kind: 'serial',
        resolved: null,
        selector: 'SIM00001/1',
        slot: 1,
        id: 0x123,
        mask: 0x7ff,
        extended: false,
      },
      target: {
        channel: 'SIM00001/2',
        selector_kind: 'serial',
        resolved: null,
        selector: 'SIM00001/2',
        slot: 2,
        id: null,
        extended: false,
      },
      offloaded: where === 'the device',
      matched: 0,
      sent: 0,
      failed: 0,
      last_error: null,
      created_at_us: createdAtUs,
    });
    send(0x122, '01');
    send(0x123, 'CAFE');
    send(0x123, '', frameFlag.extended);
    rig.clock.advanceUs(10_000);
    expect(received()).toEqual(['123#CAFE']);
    expect(route()).toMatchObject({ matched: 1, sent: 1, failed: 0 });
  });

  it('sends on at the very time of reception', async () => {
    await rig.addRoute({ source, target });
    send(0x123, 'CAFE');
    rig.clock.advanceUs(10_000);
    const receivedUs = rig.received(from)[0]?.atUs ?? 0;
    const frameUs = receivedUs;
    expect(rig.received(listener)[0]?.atUs).toBe(receivedUs + frameUs);
  });

  it('gives frames another identifier where it is told to', async () => {
    await rig.addRoute({
      source: { channel: '1', id: 0x18ff0000, mask: 0x1fff0000, extended: true },
      target: { ...target, id: 0x1abcdef0 },
    });
    send(0x18ff1234, '01', frameFlag.extended);
    send(0x18fe1234, '02', frameFlag.extended);
    send(0x18ffffff, '', frameFlag.extended | frameFlag.remote);
    rig.clock.advanceUs(10_000);
    expect(received()).toEqual(['1abcdef0#01', '1abcdef0#']);
    const { extended, remote } = frameFlag;
    expect(rig.records(listener.slot).map(({ flags }) => flags)).toEqual([
      extended,
      extended | remote,
    ]);
  });

  it('passes on everything with an empty mask, but nothing that its source sends itself', async () => {
    await rig.addRoute({ source: { ...source, mask: 0 }, target });
    for (const id of [0, 0x123, 0x7ff]) send(id);
    sendHex(canOf(from), 0x55);
    rig.clock.advanceUs(10_000);
    expect(received()).toEqual(['0#', '123#', '7ff#']);
  });

  it('passes on no errors', async () => {
    await rig.addRoute({ source: { ...source, id: 0, mask: 0 }, target });
    rig.driver.faults.bitErrors(0, 3);
    send(0x1, '01');
    rig.clock.advanceUs(10_000);
    expect(received()).toEqual(['1#01']);
    expect(route()).toMatchObject({ matched: 1, sent: 1, failed: 0 });
  });

  it('fails where the target has no such frames, or cannot send', async () => {
    await rig.close(to);
    to = await rig.open(2, { bus: 'can' });
    await rig.addRoute({ source, target });
    send(0x123, 'AA', frameFlag.fd);
    rig.clock.advanceUs(10_000);
    expect(route()).toMatchObject({
      matched: 1,
      sent: 0,
      failed: 1,
      last_error: { code: 'invalid_argument' },
    });
    await rig.table.configure('SIM00001/2', { mode: 'listen_only' }, rig.benchSource);
    send(0x123);
    rig.clock.advanceUs(10_000);
    expect(route()).toMatchObject({ failed: 2, last_error: { code: 'channel_cannot_send' } });
    await rig.table.configure('SIM00001/2', { mode: 'normal' }, rig.benchSource);
    send(0x123);
    rig.clock.advanceUs(10_000);
    expect(route()).toMatchObject({ matched: 3, sent: 1, failed: 2 });
    expect(received()).toEqual(['123#']);
  });

  it('works on when a device that went away is back', async () => {
    await rig.addRoute({ source, target });
    rig.driver.faults.loseDevice();
    rig.clock.advanceUs(10_000);
    rig.driver.faults.returnDevice();
    send(0x123, '01');
    rig.clock.advanceUs(10_000);
    expect(received()).toEqual(['123#01']);
  });

  it('leads back and forth together with another one', async () => {
    await rig.addRoute({ source: { ...source, mask: 0x700 }, target });
    await rig.addRoute({
      source: { channel: target.channel, id: 0x200, mask: 0x700 },
      target: { channel: source.channel, id: 0x300 },
    });
    for (let i = 0; i < 50; i++) {
      send(0x100 + i, '00');
      sendHex(canOf(listener), 0x200 + i, '00');
    }
    rig.clock.advanceUs(100_000);
    expect(rig.received(listener).map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, i) => 0x100 + i),
    );
    expect(rig.received(sender).filter(({ id }) => id === 0x300)).toHaveLength(50);
    expect(rig.defects).toEqual([]);
  });

  it('ends when it is removed, and says what it came to', async () => {
    const { route_id } = await rig.addRoute({ source, target });
    send(0x123);
    rig.clock.advanceUs(10_000);
    expect(rig.routes.remove(route_id)).toMatchObject({ route_id, matched: 1, sent: 1 });
    send(0x123);
    rig.clock.advanceUs(10_000);
    expect(received()).toHaveLength(1);
    expect(rig.routes.list()).toEqual([]);
    await expect(async () => rig.routes.remove(route_id)).rejects.toMatchObject({
      code: 'route_not_found',
      details: { route_id },
    });
  });

  it.each(['source', 'target'] as const)('ends when its %s is closed', async (which) => {
    await rig.addRoute({ source, target });
    await rig.close(which === 'source' ? from : to);
    expect(rig.routes.list()).toEqual([]);
    if (which === 'source') from = await rig.open(1);
    else to = await rig.open(2);
    send(0x123);
    rig.clock.advanceUs(10_000);
    expect(received()).toEqual([]);
    expect(rig.defects).toEqual([]);
  });
});

describe('a route on the bench thread', () => {
  beforeEach(() => withoutOffload(from));

  const fillTarget = async () => {
    await rig.close(listener);
    const lane = to.outbox.open({});
    while (lane.send(0x700, 0, 0, new Uint8Array(0), 0, 0) === 'accepted');
    expect(to.stats().tx_pending).toBe(queueLength);
  };

  it('keeps frames while the queue of its target is full, in order, and gives up the rest', async () => {
    await rig.addRoute({ source: { ...source, mask: 0 }, target });
    await fillTarget();
    const sent = waitingCapacity + 6;
    for (let id = 0; id < sent; id++) send(id);
    rig.clock.advanceUs(50_000);
    expect(route()).toMatchObject({
      matched: sent,
      sent: 0,
      failed: 6,
      last_error: { code: 'hardware_timeout' },
    });
    listener = await rig.open(3);
    rig.clock.advanceUs(1_000_000);
    expect(route()).toMatchObject({ matched: sent, sent: waitingCapacity, failed: 6 });
    expect(
      rig
        .received(listener)
        .map(({ id }) => id)
        .filter((id) => id !== 0x700),
    ).toEqual(Array.from({ length: waitingCapacity }, (_, id) => id));
  });

  it('gives up what waits when the target goes bus off, or is lost', async () => {
    await rig.addRoute({ source: { ...source, mask: 0 }, target });
    await fillTarget();
    for (let id = 0; id < 10; id++) send(id);
    rig.clock.advanceUs(10_000);
    rig.driver.faults.loseDevice();
    expect(route()).toMatchObject({
      matched: 10,
      sent: 0,
      failed: 10,
      last_error: { code: 'hardware_error' },
    });
  });

  it('counts what waits as failed when it is removed', async () => {
    const { route_id } = await rig.addRoute({ source: { ...source, mask: 0 }, target });
    await fillTarget();
    for (let id = 0; id < 5; id++) send(id);
    rig.clock.advanceUs(10_000);
    expect(rig.routes.remove(route_id)).toMatchObject({ matched: 5, sent: 0, failed: 5 });
  });

  it('takes over where the device has no slot left', async () => {
    rig = new TransmitRig();
    for (const port of [0, 1, 2, 3]) await rig.open(port);
    const offloaded: boolean[] = [];
    for (let id = 0; id < 18; id++) {
      offloaded.push((await rig.addRoute({ source: { ...source, id }, target })).offloaded);
    }
    expect(offloaded).toEqual([...Array(16).fill(true), false, false]);
  });
});

describe('a route that cannot be', () => {
  it.each([
    ['an identifier too large', { source: { ...source, id: 0x800 } }, 'source.id', 'SIM00001/1'],
    ['a mask too large', { source: { ...source, mask: 0x800 } }, 'source.mask', 'SIM00001/1'],
    ['another too large', { target: { ...target, id: 0x800 } }, 'target.id', 'SIM00001/2'],
    ['a text that is no hex', { source: { ...source, id: 'x' } }, 'source.id', 'SIM00001/1'],
    ['a mask of 29 bits', { source: { ...source, mask: '1FFFFFFF' } }, 'source.mask', 'SIM00001/1'],
    [
      'a contradiction',
      { source: { ...source, id: '800', extended: false } },
      'source.extended',
      'SIM00001/1',
    ],
    ['another width', { target: { ...target, id: '00000200' } }, 'target.id', 'SIM00001/2'],
    ['the same channel twice', { target: { channel: '1' } }, 'target.channel', '1'],
    ['a LIN source', { source: { channel: 'lin', id: 1 } }, 'source.channel', 'lin'],
    ['a LIN target', { target: { channel: 'lin' } }, 'target.channel', 'lin'],
    ['no source', { source: undefined }, 'source', undefined],
    ['no target', { target: undefined }, 'target', undefined],
    ['a source said twice', { source_id: 1 }, 'source', undefined],
    ['a target said twice', { target_channel: '1' }, 'target', undefined],
  ])('is refused for %s', async (_what, more, field, channel) => {
    await rig.open(4, { name: 'lin' });
    const request = { source, target, ...more } as Parameters<typeof rig.addRoute>[0];
    const refusal = await rig.refusedRoute(request);
    expect(refusal).toMatchObject({ code: 'invalid_argument', details: { field } });
    expect(refusal.details.channel).toBe(channel);
    expect(rig.routes.list()).toEqual([]);
  });

  it.each([
    ['88', 'channel_not_open'],
    ['spare', 'network_unbound'],
    ['/', 'invalid_channel_selector'],
  ])('is refused for the channel %s at either end', async (channel, code) => {
    expect(await rig.refusedRoute({ source: { ...source, channel }, target })).toMatchObject({
      code,
      details: { channel, field: 'source.channel' },
    });
    expect(await rig.refusedRoute({ source, target: { channel } })).toMatchObject({
      code,
      details: { channel, field: 'target.channel' },
    });
  });

  it('is refused when there are too many, before anything is set up', async () => {
    for (let id = 0; id < 64; id++) await rig.addRoute({ source: { ...source, id }, target });
    expect(await rig.refusedRoute({ source, target })).toMatchObject({
      code: 'capacity_exceeded',
      details: { limit: 64 },
    });
    rig.routes.remove('route-7');
    expect(await rig.addRoute({ source, target })).toMatchObject({ route_id: 'route-65' });
  });

  it.each(['source', 'target'] as const)('is refused where the %s begins to close', async (end) => {
    const lookingUp = rig.refusedRoute({ source, target });
    void rig.close(end === 'source' ? from : to);
    expect(await lookingUp).toMatchObject({
      code: 'channel_not_open',
      details: { field: `${end}.channel` },
    });
    expect(rig.routes.list()).toEqual([]);
  });
});

describe('the options of a command line', () => {
  it('make the same route', async () => {
    expect(
      await rig.addRoute({
        source_channel: 'SIM00001/1',
        source_id: 0x18ff0000,
        source_mask: 0x1fff0000,
        extended: true,
        target_channel: 'SIM00001/2',
        target_id: 0x1234,
      }),
    ).toMatchObject({
      source: { channel: 'SIM00001/1', id: 0x18ff0000, mask: 0x1fff0000, extended: true },
      target: { channel: 'SIM00001/2', id: 0x1234 },
    });
  });

  it.each([
    ['123', '7F0', '456', { id: 0x123, mask: 0x7f0, extended: false }, 0x456],
    ['18FF50E5', '1FFFFF00', '18FF6000', { id: 0x18ff50e5, extended: true }, 0x18ff6000],
  ])('are read as they are printed: %s', async (source_id, source_mask, target_id, read, sent) => {
    const ends = { source_channel: 'SIM00001/1', target_channel: 'SIM00001/2' };
    const route = await rig.addRoute({ ...ends, source_id, source_mask, target_id });
    expect(route).toMatchObject({ source: read, target: { id: sent } });
  });

  it('have 29 bits at both ends if they are extended, however few digits they have', async () => {
    const ends = { source_channel: 'SIM00001/1', target_channel: 'SIM00001/2' };
    const ids = { source_id: '123', target_id: '456', extended: true };
    expect(await rig.addRoute({ ...ends, ...ids })).toMatchObject({
      source: { id: 0x123, mask: 0x1fffffff, extended: true },
      target: { id: 0x456, extended: true },
    });
  });

  it.each([
    [{ source_channel: '1', target_channel: '2' }, 'source_id'],
    [{ source_id: 1, target_channel: '2' }, 'source_channel'],
    [{ source_channel: '1', source_id: 1 }, 'target'],
    [{}, 'source'],
  ])('are refused where one is missing: %j', async (options, field) => {
    expect(await rig.refusedRoute(options)).toMatchObject({
      code: 'invalid_argument',
      details: { field, reason: 'missing' },
    });
  });
});
