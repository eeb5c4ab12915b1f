import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DriverRig, type OpenCan, openCan, refusal, type SetUpRig } from './driver-rig.ts';

const data = new Uint8Array(8);
const send = ({ channel }: OpenCan, id: number) => channel.send(id, 0, 8, data, 0, 8);

export const describeLoss = (ports: readonly [number, number], setUp: SetUpRig): void => {
  let rig: DriverRig;
  let one: OpenCan;
  let two: OpenCan;
  beforeEach(async () => {
    rig = await setUp();
    one = await openCan(rig, ports[0], { bitrate: 250_000 });
    two = await openCan(rig, ports[1], { bitrate: 250_000 });
  });
  afterEach(() => rig.tearDown());

  describe('a device that goes away', () => {
    it('is told to all its channels, which fail what they had to send', async () => {
      for (let i = 0; i < 100; i++) send(one, i);
      await rig.until(() => one.events.completed.length >= 5);
      await rig.loseDevice?.();
      await rig.until(() => one.events.presence.length > 0 && two.events.presence.length > 0);
      expect(one.events.presence).toEqual(['lost']);
      expect(two.events.presence).toEqual(['lost']);
      expect(one.events.completed.length + one.events.failedFrames).toBe(100);
      expect(one.channel.stats().txPending).toBe(0);
    });

    it('is not listed, and neither opened nor configured nor sent to', async () => {
      await rig.loseDevice?.();
      await rig.until(() => one.events.presence.length === 1);
      expect((await rig.driver.devices()).map(({ sn }) => sn)).not.toContain(rig.sn);
      expect(send(one, 1)).toBe('lost');
      const change = { group: 'bitrate', bitrate: 500_000 } as const;
      expect(await refusal(one.channel.configure(change))).toMatchObject({ reason: 'device_lost' });
      await one.channel.close();
      expect(await refusal(openCan(rig, ports[0]))).toMatchObject({ reason: 'device_lost' });
    });

    it('is opened again with its settings when it comes back, and its counts go on', async () => {
      send(one, 1);
      await rig.until(() => two.events.received.length === 1);
      await rig.loseDevice?.();
      await rig.until(() => two.events.presence.length === 1);
      await rig.returnDevice?.();
      await rig.until(() => two.events.presence.length === 2 && one.events.presence.length === 2);
      expect(one.events.presence).toEqual(['lost', 'returned']);
      const statuses = one.events.errors.map(({ status }) => status);
      expect(statuses.filter((status) => status.startsWith('device_'))).toEqual([
        'device_lost',
        'device_returned',
      ]);
      expect(one.channel.settings.bitrate).toBe(250_000);
      expect(send(one, 2)).toBe('accepted');
      await rig.until(() => two.events.received.length === 2);
      expect(two.channel.stats().rxFrames).toBe(2);
    });

    it('does not come back to channels that were closed meanwhile', async () => {
      await rig.loseDevice?.();
      await rig.until(() => one.events.presence.length === 1);
      await one.channel.close();
      await rig.returnDevice?.();
      await rig.until(() => two.events.presence.length === 2);
      expect(one.events.presence).toEqual(['lost']);
    });
  });
};
