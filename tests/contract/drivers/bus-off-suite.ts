import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import { type DriverRig, hookOf, type OpenCan, openCan, type SetUpRig } from './driver-rig.ts';

const data = new Uint8Array(8);
const send = ({ channel }: OpenCan, id: number) => channel.send(id, 0, 8, data, 0, 8);

export const describeBusOff = (ports: readonly [number, number], setUp: SetUpRig): void => {
  let rig: DriverRig;
  let one: OpenCan;
  let two: OpenCan;
  beforeEach(async () => {
    rig = await setUp();
    one = await openCan(rig, ports[0]);
    two = await openCan(rig, ports[1]);
  });
  afterEach(() => rig.tearDown());

  const isIn = (state: string) => () => one.channel.stats().busState === state;

  /** Makes every attempt fail until the channel is bus off; then the bus works again. */
  const driveOff = async (context: TestContext, frames = 1): Promise<void> => {
    const mend = await hookOf(rig, 'breakFrames', context)(ports[0]);
    for (let id = 1; id <= frames; id++) expect(send(one, id)).toBe('accepted');
    await rig.until(isIn('bus_off'));
    await mend();
  };

  const goOff = async (context: TestContext): Promise<void> => {
    if (!rig.reportBusOff) return driveOff(context);
    rig.reportBusOff(ports[0]);
    await rig.until(isIn('bus_off'));
  };

  const sendsAgain = async (): Promise<void> => {
    one.events.clear();
    two.events.clear();
    expect(one.channel.stats().busState).toBe('error_active');
    expect(send(one, 0x100)).toBe('accepted');
    await rig.until(() => two.events.received.length > 0);
    expect(two.events.received).toMatchObject([{ id: 0x100 }]);
  };

  describe('a CAN channel that is bus off', () => {
    it.for(['bitrate', 'mode'] as const)(
      'is back on the bus once its %s is set again to what it is',
      async (group, context) => {
        const { settings, capabilities } = one.channel;
        if (!capabilities.settings.includes(group)) context.skip(`this bench has no ${group}`);
        await goOff(context);
        const { bitrate, mode } = settings;
        one.events.clear();
        await one.channel.configure(group === 'mode' ? { group, mode } : { group, bitrate });
        expect([one.channel.settings, one.events.states]).toEqual([settings, ['error_active']]);
        await sendsAgain();
      },
    );

    it('is back on the bus once it was told to recover', async (context) => {
      await goOff(context);
      one.events.clear();
      await one.channel.recover();
      await rig.until(isIn('error_active'));
      await sendsAgain();
    });
  });

  describe('a CAN channel that is driven off the bus', () => {
    it('fails what it had to send, says so, and takes no more', async (context) => {
      await driveOff(context, 5);
      expect(one.events.states.at(-1)).toBe('bus_off');
      expect([one.events.completed, one.events.failedFrames]).toEqual([[], 5]);
      expect(one.channel.stats()).toMatchObject({ txFrames: 0, txFailed: 5, txPending: 0 });
      expect(one.events.errors.length).toBeGreaterThan(0);
      expect(one.events.errors.every(({ flags }) => (flags & frameFlag.error) !== 0)).toBe(true);
      expect(send(one, 6)).toBe('bus_off');
      expect(two.events.received).toEqual([]);
      for (const { channel, events } of [one, two]) {
        const { errorFrames } = channel.stats();
        expect(events.errorFrames).toBe(errorFrames);
      }
    });

    it('stays there, and hears nothing, until it is told to recover', async (context) => {
      await driveOff(context);
      one.events.clear();
      send(two, 0x200);
      await rig.pass(1_000_000);
      expect(one.channel.stats().busState).toBe('bus_off');
      expect([one.events.all, one.events.states]).toEqual([[], []]);
      one.channel.recover();
      // No node has acknowledged the frame, so its sender is still trying.
      await rig.until(() => one.events.received.length > 0);
      expect(one.events.received).toMatchObject([{ id: 0x200 }]);
    });

    it('recovers with its counts at zero, and says so once', async (context) => {
      await driveOff(context);
      one.events.clear();
      one.channel.recover();
      one.channel.recover();
      await rig.until(isIn('error_active'));
      one.channel.recover();
      await rig.pass(100_000);
      expect(one.events.states).toEqual(['error_active']);
      expect(one.channel.stats()).toMatchObject({ txErrorCount: 0, rxErrorCount: 0 });
    });

    it('sends and receives again once it has recovered, and never what had failed', async (context) => {
      await driveOff(context, 3);
      one.channel.recover();
      await rig.until(isIn('error_active'));
      expect(send(one, 0x100)).toBe('accepted');
      expect(send(two, 0x200)).toBe('accepted');
      await rig.until(() => one.events.received.length > 0 && two.events.received.length > 0);
      await rig.pass(5_000);
      expect(two.events.received.map(({ id }) => id)).toEqual([0x100]);
      expect(one.events.completed.map(({ id }) => id)).toEqual([0x100]);
      expect(one.events.received.map(({ id }) => id)).toEqual([0x200]);
      expect(one.channel.stats()).toMatchObject({ txFrames: 1, rxFrames: 1, txFailed: 3 });
    });

    it('recovers as often as it has to', async (context) => {
      for (let round = 1; round <= 3; round++) {
        await driveOff(context);
        one.channel.recover();
        await rig.until(isIn('error_active'));
        expect(one.events.failedFrames).toBe(round);
      }
      send(one, 0x100);
      await rig.until(() => two.events.received.length > 0);
    });

    it('is on the bus again when it is closed and opened', async (context) => {
      await driveOff(context);
      await one.channel.close();
      one.channel.recover();
      one = await openCan(rig, ports[0]);
      expect(one.channel.stats().busState).toBe('error_active');
      send(one, 0x100);
      await rig.until(() => two.events.received.length > 0);
      expect(two.events.received).toMatchObject([{ id: 0x100 }]);
    });
  });

  describe('a CAN channel that is on the bus', () => {
    it('does nothing when it is told to recover', async () => {
      for (let id = 0; id < 20; id++) send(one, id);
      one.channel.recover();
      await rig.until(() => two.events.received.length >= 20);
      expect([one.events.failedFrames, one.events.errors, one.events.states]).toEqual([0, [], []]);
    });
  });
};
