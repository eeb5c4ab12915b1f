import { describe, expect, it } from 'vitest';
import { canErrorClass } from '../can-error-frame.ts';
import { sendHex, VirtualRig } from './testing/virtual-rig.ts';

/** 0x123 without data is 48 bits long; at 500 kbit/s a bit takes 2 µs. */
const bitUs = 2;
const untilErrorBits = 48 - 11;
const activeAttemptBits = untilErrorBits + 17;
const passiveAttemptBits = activeAttemptBits + 8;
/** Attempts until the count stands at 128. */
const activeAttempts = 16;
const firstPassiveBits = activeAttempts * activeAttemptBits + 8;

const openLone = async () => {
  const rig = new VirtualRig();
  const lone = await rig.openCan(0);
  return { rig, lone, ...lone };
};

const counters = (data: string): number[] => [...Buffer.from(data, 'hex').subarray(6)];

describe('a node that nobody acknowledges', () => {
  it('counts up to error passive and no further', async () => {
    const { rig, channel, events } = await openLone();
    sendHex(channel, 0x123);
    rig.advanceUs(firstPassiveBits * bitUs + 250);
    expect(events.errors.map(({ data }) => counters(data))).toEqual(
      Array.from({ length: activeAttempts }, (_, i) => [8 * (i + 1), 0]),
    );
    rig.advanceUs(3_600_000_000);
    expect(channel.stats()).toMatchObject({
      txErrorCount: 128,
      busState: 'error_passive',
      txPending: 1,
      txFailed: 0,
    });
    expect(events.states).toEqual(['error_warning', 'error_passive']);
  });

  it('is told why, when, and of every change of state', async () => {
    const { rig, channel, events } = await openLone();
    sendHex(channel, 0x123);
    rig.advanceUs(firstPassiveBits * bitUs + 250);
    const { busError, controller, counters: valid, noAcknowledge } = canErrorClass;
    const usual = noAcknowledge | busError | valid;
    const errors = events.errors.map((event) => [event.id, event.data.slice(0, 8)]);
    expect(errors.slice(0, 11)).toEqual(Array(11).fill([usual, '00000019']));
    expect(errors.slice(11)).toEqual([
      [usual | controller, '00080019'],
      ...Array(3).fill([usual, '00000019']),
      [usual | controller, '00200019'],
    ]);
    expect(events.errors.map((event) => rig.sinceStart(event))).toEqual(
      Array.from(
        { length: activeAttempts },
        (_, i) => (i * activeAttemptBits + untilErrorBits) * bitUs,
      ),
    );
  });

  it('goes on trying, every attempt counted, but only ten a second reported', async () => {
    const { rig, channel, events } = await openLone();
    sendHex(channel, 0x123);
    const seconds = 3_600;
    rig.advanceUs(seconds * 1e6);
    const firstUs = (firstPassiveBits + untilErrorBits) * bitUs;
    const passive = Math.floor((seconds * 1e6 - firstUs) / (passiveAttemptBits * bitUs)) + 1;
    const { errorFrames, busyUs } = channel.stats();
    expect(errorFrames).toBe(activeAttempts + passive);
    expect(busyUs).toBe(errorFrames * activeAttemptBits * bitUs);
    expect(events.errors.length - activeAttempts).toBeLessThanOrEqual(seconds * 10);
    expect(events.errors.length - activeAttempts).toBeGreaterThan(seconds * 9.9);
  });

  it('looks at the clock no more often than it reports', async () => {
    const { rig, channel } = await openLone();
    sendHex(channel, 0x123);
    rig.advanceUs(1_000_000);
    const before = rig.scheduler.lateness.count;
    rig.advanceUs(10_000_000);
    expect(rig.scheduler.lateness.count - before).toBeLessThanOrEqual(2 * 100);
  });

  it('is relieved at once when a partner comes', async () => {
    const { rig, channel, events } = await openLone();
    sendHex(channel, 0x123);
    rig.advanceUs(50_000);
    const partner = await rig.openCan(1);
    const joinedUs = rig.clock.monotonicUs() - 5_000_000;
    rig.advanceUs(1_000);
    expect(events.completed).toHaveLength(1);
    const [completed] = events.completed.map((event) => rig.sinceStart(event));
    expect(completed).toBeLessThan(joinedUs + 2 * passiveAttemptBits * bitUs);
    expect(partner.events.received).toHaveLength(1);
    expect(channel.stats()).toMatchObject({ txErrorCount: 127, busState: 'error_warning' });
  });

  it('finds back to error active with every frame that goes well', async () => {
    const { rig, channel, events } = await openLone();
    sendHex(channel, 0x123);
    rig.advanceUs(10_000);
    await rig.openCan(1);
    for (let i = 0; i < 200; i++) sendHex(channel, 0x123);
    rig.advanceUs(100_000);
    expect(channel.stats()).toMatchObject({ txErrorCount: 0, busState: 'error_active' });
    expect(events.states).toEqual([
      'error_warning',
      'error_passive',
      'error_warning',
      'error_active',
    ]);
    const relief = events.errors.filter(({ status }) => status === 'state_change');
    expect(relief.map(({ id, data }) => [id, data])).toEqual([
      [canErrorClass.controller | canErrorClass.counters, '0008000000007F00'],
      [canErrorClass.controller | canErrorClass.counters, '0040000000005F00'],
    ]);
  });

  it('is alone again when its partner leaves', async () => {
    const { rig, channel, events } = await openLone();
    const partner = await rig.openCan(1);
    sendHex(channel, 0x123);
    rig.advanceUs(1_000);
    await partner.channel.close();
    sendHex(channel, 0x124);
    rig.advanceUs(10_000);
    expect(events.completed.map(({ id }) => id)).toEqual([0x123]);
    expect(channel.stats().busState).toBe('error_passive');
  });
});

describe('a node whose partner leaves in the middle of a long frame', () => {
  it('has the bus at once, and hears of its own errors in time', async () => {
    const rig = new VirtualRig();
    const partner = await rig.openCan(0, { bus: 'can', bitrate: 10_000 });
    const { channel, events } = await rig.openCan(1, { bus: 'can', bitrate: 10_000 });
    sendHex(partner.channel, 0x1, '0011223344556677');
    rig.advanceUs(1_000);
    sendHex(channel, 0x123);
    rig.advanceUs(1_000);
    await partner.channel.close();
    rig.advanceUs(48 * 100);
    expect(events.errors.map((event) => rig.sinceStart(event))).toEqual([
      2_000 + untilErrorBits * 100,
    ]);
  });
});

describe('a node that only listens to a lone one', () => {
  it('sees errors, and then the frame again and again once the sender is passive', async () => {
    const { rig, channel, events } = await openLone();
    const listener = await rig.openCan(1, { mode: 'listen_only' });
    sendHex(channel, 0x123, 'AA');
    rig.advanceUs(20_000);
    expect(listener.events.errors).toHaveLength(1);
    expect(listener.channel.stats()).toMatchObject({
      errorFrames: 16,
      rxErrorCount: 0,
      busState: 'error_active',
    });
    expect(listener.events.received.length).toBeGreaterThan(50);
    expect(listener.events.received[0]).toMatchObject({ id: 0x123, data: 'AA' });
    expect(events.completed).toEqual([]);
  });
});
