import { describe, expect, it } from 'vitest';
import { canErrorClass } from '../../frame/can-error-frame.ts';
import { type OpenCan, sendHex, VirtualRig } from './testing/virtual-rig.ts';

/** 0x123 without data is 48 bits long; at 500 kbit/s a bit takes 2 µs. */
const bitUs = 2;
const untilErrorBits = 48 - 11;
const activeAttemptBits = untilErrorBits + 17;
const passiveAttemptBits = activeAttemptBits + 8;
/** Attempts until the error counter is 128. */
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
    expect(events.errors.map(({ data }) => counters(data))).toEqual([
      ...Array.from({ length: activeAttempts }, (_, i) => [8 * (i + 1), 0]),
      [128, 0],
    ]);
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
    const toPassive = events.errors.slice(0, activeAttempts);
    const errors = toPassive.map((event) => [event.id, event.data.slice(0, 8)]);
    expect(errors.slice(0, 11)).toEqual(Array(11).fill([usual, '00000019']));
    expect(errors.slice(11)).toEqual([
      [usual | controller, '00080019'],
      ...Array(3).fill([usual, '00000019']),
      [usual | controller, '00200019'],
    ]);
    expect(toPassive.map((event) => rig.sinceStart(event))).toEqual(
      Array.from(
        { length: activeAttempts },
        (_, i) => (i * activeAttemptBits + untilErrorBits) * bitUs,
      ),
    );
  });

  it('goes on trying, with ten events a second that stand for every attempt', async () => {
    const { rig, channel, events } = await openLone();
    sendHex(channel, 0x123);
    const seconds = 3_600;
    rig.advanceUs(seconds * 1e6);
    const firstUs = (firstPassiveBits + untilErrorBits) * bitUs;
    const passive = Math.floor((seconds * 1e6 - firstUs) / (passiveAttemptBits * bitUs)) + 1;
    const { errorFrames, busyUs } = channel.stats();
    expect(errorFrames).toBe(activeAttempts + passive);
    expect(busyUs).toBe(errorFrames * activeAttemptBits * bitUs);
    expect(events.errorFrames).toBe(errorFrames);
    // The first error, the first of each kind, and those reported with the statistics.
    expect(events.errors.length - activeAttempts).toBeLessThanOrEqual(seconds * 10 + 2);
    expect(events.errors.length - activeAttempts).toBeGreaterThan(seconds * 9.9);
  });

  it('has told of every error that its statistics count, whenever they are asked for', async () => {
    const { rig, channel, events } = await openLone();
    sendHex(channel, 0x123);
    for (const stepUs of [50, 1_000, 3_333, 77_777, 100_000, 123_456, 999_999]) {
      rig.advanceUs(stepUs);
      const { errorFrames } = channel.stats();
      expect(events.errorFrames).toBe(errorFrames);
    }
    const stamps = events.all.map(({ timestampUs }) => timestampUs);
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
  });

  it.each([
    ['is closed', (_: VirtualRig, lone: OpenCan) => lone.channel.close()],
    ['is lost', (rig: VirtualRig) => rig.driver.faults.loseDevice()],
    [
      'is set to another rate',
      (_: VirtualRig, lone: OpenCan) =>
        lone.channel.configure({ group: 'bitrate', bitrate: 250_000 }),
    ],
  ] as const)('tells of its last errors before it %s', async (_, end) => {
    const { rig, lone, channel, events } = await openLone();
    sendHex(channel, 0x123);
    rig.advanceUs(150_000);
    const { errorFrames } = channel.stats();
    rig.advanceUs(50_000);
    await end(rig, lone);
    const attempts = 50_000 / (passiveAttemptBits * bitUs);
    expect(events.errorFrames - errorFrames).toBeGreaterThan(attempts - 2);
    expect(events.errorFrames - errorFrames).toBeLessThan(attempts + 2);
  });

  it('looks at the clock no more often than it reports', async () => {
    const { rig, channel } = await openLone();
    sendHex(channel, 0x123);
    rig.advanceUs(1_000_000);
    const before = rig.scheduler.lateness.count;
    rig.advanceUs(10_000_000);
    expect(rig.scheduler.lateness.count - before).toBeLessThanOrEqual(2 * 100);
  });

  it('gives up frames that could not begin by their deadlines, each at its own', async () => {
    const { rig, channel, events } = await openLone();
    const startUs = rig.clock.monotonicUs();
    const none = new Uint8Array();
    for (const [id, deadlineUs] of [
      [1, 300_000],
      [2, 300_000],
      [3, 900_000],
    ] as const) {
      channel.send(id, 0, 0, none, 0, 0, startUs + deadlineUs);
    }
    channel.send(4, 0, 0, none, 0, 0);
    rig.advanceUs(299_000);
    expect([events.failedFrames, channel.pending]).toEqual([0, 4]);
    rig.advanceUs(2_000);
    expect([events.failedFrames, channel.pending]).toEqual([2, 2]);
    rig.advanceUs(700_000);
    expect([events.failedFrames, channel.pending]).toEqual([3, 1]);
    rig.advanceUs(5_000_000);
    await rig.openCan(1);
    rig.advanceUs(10_000);
    expect(events.completed.map(({ id }) => id)).toEqual([4]);
    const { errorFrames, txFailed } = channel.stats();
    expect(txFailed).toBe(3);
    expect(events.errorFrames).toBe(errorFrames);
  });

  it('sends frames whose deadlines have not come when a partner does', async () => {
    const { rig, channel, events } = await openLone();
    const deadlineUs = rig.clock.monotonicUs() + 100_000;
    channel.send(1, 0, 0, new Uint8Array(), 0, 0, deadlineUs);
    rig.advanceUs(99_000);
    await rig.openCan(1);
    rig.advanceUs(10_000);
    expect(events.completed.map(({ id }) => id)).toEqual([1]);
    expect(events.failedFrames).toBe(0);
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
    expect(relief.map(({ id, data, count }) => [id, data, count])).toEqual([
      [canErrorClass.controller | canErrorClass.counters, '0008000000007F00', 0],
      [canErrorClass.controller | canErrorClass.counters, '0040000000005F00', 0],
    ]);
    expect(events.errorFrames).toBe(channel.stats().errorFrames);
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
    expect(listener.events.errors.map(({ count }) => count)).toEqual([1, 15]);
    expect(listener.channel.stats()).toMatchObject({
      errorFrames: 16,
      rxErrorCount: 0,
      busState: 'error_active',
    });
    expect(listener.events.received.length).toBeGreaterThan(50);
    expect(listener.events.received[0]).toMatchObject({ id: 0x123, data: 'AA' });
    expect(events.completed).toEqual([]);
  });

  it('hears of errors that were held back even if nothing else happens', async () => {
    const { rig, channel } = await openLone();
    const listener = await rig.openCan(1, { mode: 'listen_only' });
    sendHex(channel, 0x123, 'AA');
    rig.advanceUs(1_000);
    await channel.close();
    const before = listener.events.errorFrames;
    rig.advanceUs(1_000_000);
    expect(before).toBe(1);
    expect(listener.events.errorFrames).toBeGreaterThan(1);
    const reported = listener.events.errorFrames;
    expect(listener.channel.stats().errorFrames).toBe(reported);
  });
});
