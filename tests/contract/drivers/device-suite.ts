import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SettingChange } from '../../../src/drivers/channel-settings.ts';
import type { PortInfo } from '../../../src/drivers/driver.ts';
import type { BitTiming } from '../../../src/frame/bit-timing-record.ts';
import {
  type DriverFeatures,
  type DriverRig,
  placeOf,
  refusal,
  type SetUpRig,
  sinkFor,
} from './driver-rig.ts';

/** One change per group, with values that any suitable port accepts. */
const changes: readonly SettingChange[] = [
  { group: 'timing', nominal: { prescaler: 2, tseg1: 55, tseg2: 24, sjw: 24 } },
  { group: 'lin', version: '2.1' },
  { group: 'mode', mode: 'listen_only' },
  { group: 'termination', termination: false },
  { group: 'pull_up', pullUp: true },
  { group: 'bitrate', bitrate: 250_000 },
  { group: 'power', power: false },
];

const changeOf = (group: string, lin: boolean, timing?: BitTiming): SettingChange => {
  const change = changes.find((candidate) => candidate.group === group);
  if (!change) throw new RangeError(`No change for ${group}`);
  if (change.group === 'timing' && timing) return { ...change, nominal: timing };
  return change.group === 'bitrate' && lin ? { ...change, bitrate: 9600 } : change;
};

export const describeDevices = (features: DriverFeatures, setUp: SetUpRig): void => {
  const featured = features.can?.ports[0] ?? features.lin?.master ?? 0;
  const isLin = !features.can;
  const change = (group: string) => changeOf(group, isLin, features.can?.timing);
  let rig: DriverRig;
  let port: number;
  beforeEach(async () => {
    rig = await setUp();
    port = placeOf(rig, featured).port;
  });
  afterEach(() => rig.tearDown());

  const open = (at = port, settings = {}, sn = rig.sn) =>
    rig.driver.open(sn, at, settings, sinkFor(rig));

  const portInfo = async (): Promise<PortInfo> => {
    const device = (await rig.driver.devices()).find(({ sn }) => sn === rig.sn);
    const info = device?.ports.find((candidate) => candidate.port === port);
    if (!info) throw new RangeError(`The driver lists no port ${port}`);
    return info;
  };

  describe('its devices', () => {
    it('are told apart by serial number and uid, and their ports by number', async () => {
      const devices = await rig.driver.devices();
      expect(devices.map(({ sn }) => sn)).toContain(rig.sn);
      expect(new Set(devices.map(({ sn }) => sn)).size).toBe(devices.length);
      expect(new Set(devices.map(({ uid }) => uid)).size).toBe(devices.length);
      for (const { ports } of devices) {
        expect(new Set(ports.map((info) => info.port)).size).toBe(ports.length);
      }
    });

    it('say of every port what it can do', async () => {
      const ports = (await rig.driver.devices()).flatMap((device) => device.ports);
      for (const { name, buses, capabilities } of ports) {
        expect(name).not.toBe('');
        expect(buses.length).toBeGreaterThan(0);
        expect(capabilities.modes).toContain('normal');
        expect(capabilities.bitrate.min).toBeLessThanOrEqual(capabilities.bitrate.max);
        expect(capabilities.txQueue).toBeGreaterThan(0);
        expect(capabilities.dataBitrate !== undefined).toBe(buses.includes('canfd'));
        expect(capabilities.linRoles !== undefined).toBe(buses.includes('lin'));
      }
    });
  });

  describe('opening a port', () => {
    it('takes the best bus that the port has', async () => {
      const channel = await open();
      const { buses } = await portInfo();
      expect(channel).toMatchObject({ sn: rig.sn, port, bus: buses.at(-1) });
      expect(channel.capabilities).toEqual((await portInfo()).capabilities);
      expect(channel.settings).toMatchObject({ bus: buses.at(-1), mode: 'normal' });
    });

    it('is refused where there is no such port or device', async () => {
      const expected = { reason: 'no_such_port' };
      expect(await refusal(open(9999))).toMatchObject(expected);
      expect(await refusal(open(port, {}, 'NO-SUCH-DEVICE'))).toMatchObject(expected);
    });

    it('is refused for a bus that the port lacks', async () => {
      const bus = isLin ? 'can' : 'lin';
      expect(await refusal(open(port, { bus }))).toMatchObject({
        reason: 'unsupported',
        setting: 'bus',
      });
    });

    it('is refused while the port is open, and possible again once it is closed', async () => {
      const first = await open();
      expect(await refusal(open())).toMatchObject({ reason: 'port_in_use' });
      await first.close();
      await first.close();
      await expect(open()).resolves.toMatchObject({ port });
    });

    it('leaves the port free when it was refused', async () => {
      await refusal(open(port, { bitrate: 1 }));
      await expect(open()).resolves.toMatchObject({ port });
    });
  });

  describe('configuring a channel', () => {
    it('takes every group of settings that the port lists, and says so', async () => {
      const { capabilities } = await portInfo();
      for (const group of capabilities.settings) {
        const channel = await open();
        const before = channel.settings;
        await channel.configure(change(group));
        expect(channel.settings).not.toEqual(before);
        await channel.close();
      }
    });

    it('changes nothing the second time', async () => {
      const { capabilities } = await portInfo();
      const channel = await open();
      for (const group of capabilities.settings) {
        await channel.configure(change(group));
        const once = channel.settings;
        await channel.configure(change(group));
        expect(channel.settings).toEqual(once);
      }
    });

    it('refuses the groups that the port does not list, and stays as it was', async () => {
      const { capabilities } = await portInfo();
      const channel = await open();
      const before = channel.settings;
      const foreign = changes.filter(({ group }) => !capabilities.settings.includes(group));
      for (const { group } of foreign) {
        expect(await refusal(channel.configure(change(group)))).toMatchObject({
          reason: 'unsupported',
          setting: group,
        });
      }
      expect(channel.settings).toEqual(before);
    });

    it('refuses a bit rate beyond what the port can do', async () => {
      const { capabilities } = await portInfo();
      const channel = await open();
      const before = channel.settings;
      const beyond = { group: 'bitrate', bitrate: capabilities.bitrate.max * 2 } as const;
      expect(await refusal(channel.configure(beyond))).toMatchObject({ reason: 'unsupported' });
      expect(channel.settings).toEqual(before);
    });
  });
};
