import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CyclicJob, OffloadedCyclic } from '../../../src/drivers/can-offload.ts';
import {
  type DriverFeatures,
  type DriverRig,
  hookOf,
  type OffloadFeatures,
  type OpenCan,
  openCan,
  type SetUpRig,
} from './driver-rig.ts';

const job: CyclicJob = {
  id: 0x123,
  flags: 0,
  dlc: 2,
  data: Uint8Array.of(0xca, 0xfe),
  periodUs: 10_000,
  count: 0,
};

const tryStart = ({ channel }: OpenCan, more: Partial<CyclicJob> = {}) =>
  channel.offload?.startCyclic({ ...job, ...more });

/** An offloaded job that counts the outcomes of its frames. */
type CountedJob = OffloadedCyclic & { readonly sent: number; readonly failed: number };

const start = (on: OpenCan, more?: Partial<CyclicJob>): CountedJob => {
  const running = tryStart(on, more);
  if (!running) throw new RangeError('The device has no slot');
  return running as CountedJob;
};

export const describeCyclicJobs = (
  { canLose }: DriverFeatures,
  { ports, modes }: NonNullable<DriverFeatures['can']>,
  { cyclic, jitterUs }: OffloadFeatures,
  setUp: SetUpRig,
): void => {
  let rig: DriverRig;
  let one: OpenCan;
  let two: OpenCan;
  beforeEach(async () => {
    rig = await setUp();
    one = await openCan(rig, ports[0]);
    two = await openCan(rig, ports[1]);
  });
  afterEach(() => rig.tearDown());

  const received = (count: number) => rig.until(() => two.events.received.length >= count);
  const more = () => received(two.events.received.length + 3);

  describe('a cyclic job of the device', () => {
    it('begins at once and keeps its period', async () => {
      start(one);
      await received(50);
      const [first = 0, ...rest] = two.events.received.map(({ timestampUs }) => timestampUs);
      rest.forEach((timestampUs, i) => {
        const offUs = timestampUs - first - (i + 1) * job.periodUs;
        expect(Math.abs(offUs)).toBeLessThanOrEqual(jitterUs);
      });
      expect(one.events.completed).toHaveLength(two.events.received.length);
      // They have no owner: no call was made for them.
      expect(one.events.completed.every(({ txNumber }) => txNumber === 0)).toBe(true);
      expect(one.channel.pending).toBe(0);
      expect(two.events.received[7]).toMatchObject({ id: 0x123, dlc: 2, data: 'CAFE' });
      expect(one.channel.stats().txFrames).toBe(two.events.received.length);
    });

    it('takes the bytes as they are at the call', async () => {
      const data = Uint8Array.of(1, 2);
      start(one, { data });
      data.fill(0xee);
      await received(3);
      expect(two.events.received.map((event) => event.data)).toEqual(['0102', '0102', '0102']);
    });

    it('ends after its count', async () => {
      const running = start(one, { count: 5 });
      await rig.until(() => running.isFinished);
      await rig.pass(100_000);
      expect(two.events.received).toHaveLength(5);
      expect([running.sent, running.failed, running.lastRefusal]).toEqual([5, 0, undefined]);
    });

    it('goes on until it is stopped, and then sends nothing', async () => {
      const running = start(one);
      await received(3);
      running.stop();
      running.stop();
      expect(running.isFinished).toBe(false);
      const { sent } = running;
      await rig.pass(100_000);
      expect(two.events.received).toHaveLength(sent);
      expect(running.sent).toBe(sent);
    });

    it('leaves room for what is sent otherwise', async () => {
      start(one, { periodUs: 1_000 });
      await received(2);
      expect(one.channel.send(0x7, 0, 0, new Uint8Array(0), 0, 0)).toBe('accepted');
      await rig.until(() => two.events.received.some(({ id }) => id === 0x7));
      await more();
    });

    it('has a slot, which is free again when the job is over', async () => {
      const running = Array.from({ length: cyclic }, (_, i) => start(one, { id: i }));
      expect(tryStart(one)).toBeUndefined();
      expect(tryStart(two, { id: 0x700 })).toBeDefined();
      running[0]?.stop();
      const last = start(one, { count: 2 });
      expect(tryStart(one)).toBeUndefined();
      await rig.until(() => last.isFinished);
      expect(tryStart(one)).toBeDefined();
    });

    it('fails while the port is off the bus, and goes on when it has recovered', async (context) => {
      const mend = await hookOf(rig, 'breakFrames', context)(ports[0]);
      const running = start(one);
      await rig.until(() => running.lastRefusal === 'bus_off');
      await mend();
      const { failed, sent } = running;
      await rig.pass(10 * job.periodUs);
      expect(running.failed).toBe(failed + 10);
      expect(running.sent).toBe(sent);
      expect(two.events.received).toEqual([]);
      one.channel.recover();
      await more();
      expect(running.sent).toBeGreaterThan(sent);
    });

    it.runIf(modes.includes('listen_only'))('fails while the port only listens', async () => {
      const running = start(one);
      await received(3);
      await one.channel.configure({ group: 'mode', mode: 'listen_only' });
      const { sent } = running;
      await rig.until(() => running.failed >= 5);
      expect([running.sent, running.lastRefusal]).toEqual([sent, 'listen_only']);
      await one.channel.configure({ group: 'mode', mode: 'normal' });
      await more();
    });

    it('follows a change of the bit rate', async () => {
      start(one);
      await received(2);
      for (const { channel } of [one, two]) {
        await channel.configure({ group: 'bitrate', bitrate: 250_000 });
      }
      await more();
    });

    it.runIf(canLose)('survives a device that goes away, with its period', async () => {
      const running = start(one);
      await received(3);
      await rig.loseDevice?.();
      await rig.until(() => one.events.presence.length === 1);
      await rig.pass(20 * job.periodUs);
      await rig.returnDevice?.();
      await rig.until(() => two.events.presence.length === 2);
      const { length } = two.events.received;
      expect(running.failed).toBeGreaterThanOrEqual(20);
      expect([running.sent, running.lastRefusal]).toEqual([length, 'lost']);
      await more();
      const [first = 0, ...rest] = two.events.received.map(({ timestampUs }) => timestampUs);
      const offUs = rest.map((timestampUs) => (timestampUs - first) % job.periodUs);
      for (const off of offUs) {
        expect(Math.min(off, job.periodUs - off)).toBeLessThanOrEqual(jitterUs);
      }
    });

    it.runIf(canLose)('can be started while the device is away', async () => {
      await rig.loseDevice?.();
      await rig.until(() => one.events.presence.length === 1);
      start(one);
      await rig.returnDevice?.();
      await received(3);
    });

    it('ends with its channel', async () => {
      const running = start(one);
      await received(2);
      await one.channel.close();
      const { length } = two.events.received;
      const { failed } = running;
      one = await openCan(rig, ports[0]);
      await rig.pass(10 * job.periodUs);
      expect(two.events.received).toHaveLength(length);
      expect(running.failed).toBe(failed);
    });
  });
};
