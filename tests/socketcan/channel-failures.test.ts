import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CanChannel } from '../../src/drivers/driver-channel.ts';
import { RecordingSink } from '../../src/drivers/testing/recording-sink.ts';
import { KernelSlcan } from './support/kernel-slcan.ts';
import { ip, setUpDriver } from './support/socketcan-rig.ts';

const data = new Uint8Array(8);

/** Channels on a controller controlled by the test. */
describe('a channel whose controller fails', () => {
  let rig: Awaited<ReturnType<typeof setUpDriver>>;
  let adapter: KernelSlcan;
  let channel: CanChannel;
  let events: RecordingSink;

  beforeEach(async () => {
    rig = await setUpDriver();
    adapter = await KernelSlcan.create();
    events = new RecordingSink();
    const opened = await rig.driver.open(adapter.name, 0, { bitrate: 500_000 }, events);
    if (opened.bus === 'lin') throw new TypeError('An slcan interface is no LIN port');
    channel = opened;
  });
  afterEach(async () => {
    adapter.goOn();
    await rig.tearDown();
    await adapter.remove();
  });

  const send = (id: number) => channel.send(id, 0, 8, data, 0, 8);

  it('follows it through warning and passive to bus off, and recovers', async () => {
    adapter.say('sw098010');
    await rig.until(() => channel.stats().busState === 'error_warning');
    expect(channel.stats()).toMatchObject({ txErrorCount: 10, rxErrorCount: 98 });
    adapter.say('sp130012');
    await rig.until(() => channel.stats().busState === 'error_passive');
    adapter.say('sb000255');
    await rig.until(() => channel.stats().busState === 'bus_off');
    expect(events.states).toEqual(['error_warning', 'error_passive', 'bus_off']);
    expect([send(1), channel.pending]).toEqual(['bus_off', 0]);
    channel.recover();
    await rig.until(() => channel.stats().busState === 'error_active');
    expect(events.presence).toEqual([]);
    expect(send(2)).toBe('accepted');
    adapter.say('t1232AABB');
    await rig.until(() => events.received.length >= 1 && events.completed.length >= 1);
    expect(events.received).toMatchObject([{ id: 0x123, data: 'AABB' }]);
    expect(events.completed).toMatchObject([{ id: 2 }]);
  });

  it('is back from bus off once a setting is applied again', async () => {
    adapter.say('sb000255');
    await rig.until(() => channel.stats().busState === 'bus_off');
    await channel.configure({ group: 'bitrate', bitrate: 500_000 });
    await rig.until(() => channel.stats().busState === 'error_active');
    expect([events.states, events.presence]).toEqual([['bus_off', 'error_active'], []]);
    expect(send(1)).toBe('accepted');
    await rig.until(() => events.completed.length >= 1);
  });

  it('counts bus errors, and what the controller had no room for', async () => {
    adapter.say('e1f');
    adapter.say('e3abo');
    await rig.until(() => channel.stats().errorFrames >= 2);
    expect(events.errorFrames).toBe(channel.stats().errorFrames);
    expect(channel.stats().overruns).toBe(1);
    expect(events.errors.map(({ status }) => status)).toEqual(['bus_error', 'no_acknowledge']);
  });

  it('keeps frames for which there is no room, and loses none of them', async () => {
    adapter.hold();
    for (let id = 0; id < 100; id++) expect(send(id)).toBe('accepted');
    await rig.pass(500_000);
    expect(events.completed.length).toBeLessThan(100);
    expect(channel.pending + events.completed.length).toBe(100);
    adapter.goOn();
    await rig.until(() => events.completed.length === 100);
    expect(events.completed.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(channel.stats()).toMatchObject({ txFrames: 100, txFailed: 0, txPending: 0 });
  });

  it('is full at some point, and gives each accepted frame one outcome when it is pulled out', async () => {
    adapter.hold();
    let accepted = 0;
    while (send(accepted & 0x7ff) === 'accepted') {
      accepted += 1;
      if (accepted % 50 === 0) await rig.pass(1_000);
    }
    expect(send(1)).toBe('full');
    adapter.goOn();
    await adapter.remove();
    await rig.until(() => events.presence.length > 0);
    expect(events.presence).toEqual(['lost']);
    expect(events.completed.length + events.failedFrames).toBe(accepted);
    expect(channel.stats().txPending).toBe(0);
  });

  it('is lost while the interface is down, and back with its settings when it is up', async () => {
    ip(`link set ${adapter.name} down`);
    await rig.until(() => events.presence.length === 1);
    expect(send(1)).toBe('lost');
    ip(`link set ${adapter.name} up`);
    await rig.until(() => events.presence.length === 2);
    expect(events.presence).toEqual(['lost', 'returned']);
    expect(channel.settings.bitrate).toBe(500_000);
    expect(send(2)).toBe('accepted');
    await rig.until(() => events.completed.length === 1);
  });
});
