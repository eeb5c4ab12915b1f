import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import {
  type DriverFeatures,
  type DriverRig,
  type OpenLin,
  openLin,
  refusal,
  type SetUpRig,
} from './driver-rig.ts';

const enhanced = frameFlag.enhancedChecksum;

export const describeLinLoss = (
  ports: NonNullable<DriverFeatures['lin']>,
  setUp: SetUpRig,
): void => {
  let rig: DriverRig;
  let master: OpenLin;
  let slave: OpenLin;
  let outcomes: string[];
  beforeEach(async () => {
    rig = await setUp();
    outcomes = [];
    master = await openLin(rig, ports.master, { bitrate: 9600, lin: { role: 'master' } });
    slave = await openLin(rig, ports.slave, { bitrate: 9600, lin: { role: 'slave' } });
  });
  afterEach(() => rig.tearDown());

  const write = (id: number) => master.channel.masterWrite(id, enhanced, Uint8Array.of(id), 0, 1);
  const read = (id: number) =>
    master.channel.masterRead(id, enhanced, 1, (outcome) => outcomes.push(outcome));
  const bothTold = (times: number) =>
    rig.until(
      () => master.events.presence.length === times && slave.events.presence.length === times,
    );

  describe('a LIN device that goes away', () => {
    it('is told to its channels, which end what they had to send, each once', async () => {
      for (let id = 0; id < 20; id++) write(id);
      for (let id = 0; id < 20; id++) read(id);
      await rig.until(() => master.events.completed.length >= 3);
      await rig.loseDevice?.();
      await bothTold(1);
      expect(master.events.presence).toEqual(['lost']);
      expect(master.events.completed.length + master.events.failedFrames).toBe(20);
      expect(outcomes).toEqual(Array(20).fill('aborted'));
      expect(master.channel.stats().txPending).toBe(0);
    });

    it('is not listed, and neither opened nor configured nor sent to', async () => {
      const { sn } = master.channel;
      await rig.loseDevice?.();
      await bothTold(1);
      expect((await rig.driver.devices()).map((device) => device.sn)).not.toContain(sn);
      expect(write(1)).toBe('lost');
      expect(slave.channel.wakeUp()).toBe('lost');
      const change = { group: 'bitrate', bitrate: 19_200 } as const;
      const refused = await refusal(master.channel.configure(change));
      expect(refused).toMatchObject({ reason: 'device_lost' });
      await master.channel.close();
      expect(await refusal(openLin(rig, ports.master))).toMatchObject({ reason: 'device_lost' });
    });

    it('goes on with its settings and responses when it is back, and so do its counts', async () => {
      slave.channel.setResponse(0x21, enhanced, Uint8Array.of(7), 0, 1);
      write(1);
      await rig.until(() => slave.events.received.length === 1);
      await rig.loseDevice?.();
      await bothTold(1);
      await rig.returnDevice?.();
      await bothTold(2);
      expect(master.events.presence).toEqual(['lost', 'returned']);
      const statuses = master.events.errors.map(({ status }) => status);
      expect(statuses.filter((status) => status.startsWith('device_'))).toEqual([
        'device_lost',
        'device_returned',
      ]);
      expect(master.channel.settings).toMatchObject({ bitrate: 9600, lin: { role: 'master' } });
      expect(write(2)).toBe('accepted');
      expect(read(0x21)).toBe('accepted');
      await rig.until(() => outcomes.length === 1);
      expect(outcomes).toEqual(['answered']);
      expect(slave.channel.stats()).toMatchObject({ rxFrames: 2, txFrames: 1 });
    });

    it('does not come back to channels that were closed meanwhile', async () => {
      await rig.loseDevice?.();
      await bothTold(1);
      await master.channel.close();
      await rig.returnDevice?.();
      await rig.until(() => slave.events.presence.length === 2);
      expect(master.events.presence).toEqual(['lost']);
      await expect(openLin(rig, ports.master)).resolves.toBeDefined();
    });
  });
};
