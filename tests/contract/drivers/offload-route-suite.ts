import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OffloadedRoute, RouteJob } from '../../../src/drivers/can-offload.ts';
import { frameFlag } from '../../../src/frame/frm2-layout.ts';
import {
  type DriverFeatures,
  type DriverRig,
  type OffloadFeatures,
  type OpenCan,
  openCan,
  type SetUpRig,
} from './driver-rig.ts';

const { brs, extended, fd, remote } = frameFlag;

const send = ({ channel }: OpenCan, id: number, flags = 0, length = 0) =>
  channel.send(id, flags, length, new Uint8Array(64).fill(0xa5), 0, length);

/**
 * Both ports are on one bus, so every route here changes the identifier: forwarded frames return
 * to their source port.
 */
export const describeDeviceRoutes = (
  { canLose }: DriverFeatures,
  { ports, fd: hasFd }: NonNullable<DriverFeatures['can']>,
  { routes }: OffloadFeatures,
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

  const tryStart = (job: Partial<RouteJob> = {}) =>
    two.channel.offload?.startRoute({
      id: 0x100,
      mask: 0x7ff,
      extended: false,
      target: one.channel,
      targetId: 0x600,
      ...job,
    });

  const start = (job?: Partial<RouteJob>): OffloadedRoute => {
    const route = tryStart(job);
    if (!route) throw new RangeError('The device has no slot');
    return route;
  };

  const passedOn = () => two.events.received.filter(({ id }) => (id & 0x7ff) === 0x600);

  describe('a route of the device', () => {
    it('passes on what agrees in the bits of its mask, and nothing else', async () => {
      const route = start({ id: 0x1f0, mask: 0x700 });
      for (const id of [0x0ff, 0x100, 0x1ff, 0x200]) send(one, id, 0, 3);
      send(one, 0x100, extended, 3);
      await rig.until(() => passedOn().length >= 2);
      await rig.pass(5_000);
      expect(passedOn()).toMatchObject([
        { id: 0x600, flags: 0, dlc: 3, data: 'A5A5A5' },
        { id: 0x600, flags: 0, dlc: 3, data: 'A5A5A5' },
      ]);
      expect([route.matched, route.sent, route.failed]).toEqual([2, 2, 0]);
      expect(one.events.completed).toHaveLength(7);
    });

    it('passes on extended and remote frames as they are', async () => {
      start({ id: 0x18ff0000, mask: 0x1fff0000, extended: true });
      send(one, 0x18ff1234, extended);
      send(one, 0x18ff1234, extended | remote);
      send(one, 0x18fe1234, extended);
      await rig.until(() => passedOn().length >= 2);
      await rig.pass(5_000);
      expect(passedOn().map(({ flags }) => flags)).toEqual([extended, extended | remote]);
    });

    it('keeps the identifier where it is not to change it', async () => {
      start({ targetId: undefined });
      send(one, 0x100);
      await rig.until(() => two.events.received.length >= 3);
      expect(two.events.received.every(({ id }) => id === 0x100)).toBe(true);
    });

    it.runIf(hasFd)('passes on CAN FD frames', async () => {
      const route = start();
      one.channel.send(0x100, fd | brs, 9, new Uint8Array(12), 0, 12);
      await rig.until(() => passedOn().length >= 1);
      expect(passedOn()).toMatchObject([{ flags: fd | brs, dlc: 9, bus: 'canfd' }]);
      expect(route.sent).toBe(1);
    });

    it('leaves alone what its own port sends', async () => {
      const route = start();
      send(two, 0x100);
      await rig.until(() => two.events.completed.length >= 1);
      await rig.pass(5_000);
      expect([route.matched, passedOn()]).toEqual([0, []]);
    });

    it('sends nothing more once it is stopped', async () => {
      const route = start();
      send(one, 0x100);
      await rig.until(() => passedOn().length >= 1);
      route.stop();
      route.stop();
      send(one, 0x100);
      await rig.pass(5_000);
      expect([route.matched, passedOn().length]).toEqual([1, 1]);
    });

    it('has a slot of the device', () => {
      const all = Array.from({ length: routes }, (_, id) => start({ id }));
      expect(tryStart()).toBeUndefined();
      all[3]?.stop();
      expect(tryStart()).toBeDefined();
      expect(tryStart()).toBeUndefined();
    });

    it.each(['source', 'target'])('ends with its %s, whose slot is free then', async (which) => {
      for (let id = 0; id < routes; id++) start({ id });
      if (which === 'source') {
        await two.channel.close();
        two = await openCan(rig, ports[1]);
      } else {
        await one.channel.close();
        one = await openCan(rig, ports[0]);
      }
      send(one, 0x1);
      await rig.until(() => two.events.received.length >= 1);
      await rig.pass(5_000);
      expect(passedOn()).toEqual([]);
      expect(tryStart()).toBeDefined();
    });

    it('is not for a channel that is closed', async () => {
      const { channel } = one;
      await channel.close();
      expect(tryStart({ target: channel })).toBeUndefined();
    });

    it.runIf(canLose)('works on when a device that went away is back', async () => {
      start();
      await rig.loseDevice?.();
      await rig.until(() => two.events.presence.length === 1);
      await rig.returnDevice?.();
      await rig.until(() => two.events.presence.length === 2);
      send(one, 0x100);
      await rig.until(() => passedOn().length >= 1);
    });
  });
};
