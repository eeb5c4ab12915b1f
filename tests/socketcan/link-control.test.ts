import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { eventually } from '../../src/base/testing/eventually.ts';
import type { ChannelSettings } from '../../src/drivers/channel-settings.ts';
import type { CanInterface } from '../../src/drivers/socketcan/can-interfaces.ts';
import { type LinkControl, openLinks } from '../../src/drivers/socketcan/link-control.ts';

const ip = (...words: string[]): string =>
  execFileSync('ip', words.join(' ').split(' '), { encoding: 'utf8' });

const flagsOf = (name: string): string => ip('-br link show', name);
const detailsOf = (name: string): string => ip('-d link show', name);

const at = (bitrate: number, more: Partial<ChannelSettings> = {}): ChannelSettings => ({
  bus: 'can',
  mode: 'normal',
  bitrate,
  ...more,
});

describe('interfaces of the kernel', () => {
  let links: LinkControl;

  beforeEach(async () => {
    ip('link set can0 down');
    ip('link set can0 type can listen-only off loopback off berr-reporting off cc-len8-dlc off');
    ip('link set can0 type can restart-ms 0');
    links = await openLinks(new SystemClock(), 512);
  });

  afterEach(() => links.close());

  const find = async (name: string): Promise<CanInterface> => {
    const found = (await links.list()).find((link) => link.name === name);
    if (!found) throw new RangeError(`There is no interface ${name}`);
    return found;
  };

  it('are listed with who they are and what they can do', async () => {
    expect(await find('can0')).toMatchObject({
      sn: 'pci:0000:00:04.0:0',
      uid: 'can0',
      label: 'kvaser_pci',
      isUp: false,
      hasController: true,
      port: {
        port: 0,
        buses: ['can'],
        capabilities: {
          modes: ['normal', 'listen_only'],
          settings: ['timing', 'mode', 'bitrate'],
          bitrate: { min: 5000, max: 1_000_000 },
          clockHz: 8_000_000,
        },
      },
    });
    expect(await find('vcan0')).toMatchObject({
      sn: 'vcan0',
      label: 'vcan',
      isUp: true,
      hasFd: true,
      hasController: false,
      port: { buses: ['can', 'canfd'] },
    });
  });

  it('run at a rate that was asked for, which is read back', async () => {
    const running = await links.run(await find('can0'), at(250_000));
    expect(running).toMatchObject({
      isUp: true,
      keepsDlc: true,
      settings: {
        bus: 'can',
        mode: 'normal',
        bitrate: 250_000,
        timing: { nominal: { prescaler: 2, tseg1: 13, tseg2: 2, sjw: 1 } },
      },
    });
    expect(detailsOf('can0')).toMatch(/bitrate 250000 sample-point 0.875/);
  });

  it('run with a timing that was asked for', async () => {
    const timing = { nominal: { prescaler: 1, tseg1: 11, tseg2: 4, sjw: 2 } };
    const running = await links.run(await find('can0'), at(500_000, { timing }));
    expect(running.settings).toMatchObject({ bitrate: 500_000, timing });
    expect(detailsOf('can0')).toMatch(/sample-point 0.750/);
  });

  it('are changed while they are up, and taken down again when they are let go', async () => {
    const first = await links.run(await find('can0'), at(250_000));
    const second = await links.run(first, at(500_000, { mode: 'listen_only' }));
    expect(second.settings).toMatchObject({ bitrate: 500_000, mode: 'listen_only' });
    expect(detailsOf('can0')).toMatch(/LISTEN-ONLY/);
    await links.release(second);
    expect(flagsOf('can0')).toMatch(/DOWN/);
    expect(detailsOf('can0')).not.toMatch(/LISTEN-ONLY|BERR-REPORTING/);
  });

  it('that are up already are used as they are, and stay so', async () => {
    ip('link set can0 up type can bitrate 125000 restart-ms 100');
    const before = detailsOf('can0');
    const link = await find('can0');
    const running = await links.run(link, at(125_000));
    expect(running.settings).toMatchObject({ bitrate: 125_000 });
    await links.release(running);
    expect(detailsOf('can0')).toBe(before);
  });

  it('that were up and were changed have their settings back when they are let go', async () => {
    ip('link set can0 up type can bitrate 125000 restart-ms 100');
    const running = await links.run(await find('can0'), at(500_000, { mode: 'loopback' }));
    expect(detailsOf('can0')).toMatch(/LOOPBACK.*restart-ms 0/);
    await links.release(running);
    expect(detailsOf('can0')).toMatch(/restart-ms 100/);
    expect(detailsOf('can0')).toMatch(/bitrate 125000/);
    expect(detailsOf('can0')).not.toMatch(/LOOPBACK/);
    expect(flagsOf('can0')).toMatch(/UP/);
  });

  it('refuse a rate that their clock cannot be divided to, and stay as they were', async () => {
    ip('link set can0 up type can bitrate 125000');
    const refused = links.run(await find('can0'), at(3_000_000));
    await expect(refused).rejects.toMatchObject({
      code: 'unsupported_by_hardware',
      details: { field: 'bitrate', errno: 'EDOM' },
    });
    expect(detailsOf('can0')).toMatch(/bitrate 125000/);
    expect(flagsOf('can0')).toMatch(/UP/);
  });

  it('refuse a rate that would come out wrong', async () => {
    const refused = links.run(await find('can0'), at(770_000));
    await expect(refused).rejects.toMatchObject({
      code: 'unsupported_by_hardware',
      details: { field: 'bitrate', reason: 'no_timing' },
    });
    expect(flagsOf('can0')).toMatch(/DOWN/);
  });

  it('refuse a timing that old kernels would cut in silence', async () => {
    const timing = { nominal: { prescaler: 1, tseg1: 11, tseg2: 4, sjw: 9 } };
    const refused = links.run(await find('can0'), at(500_000, { timing }));
    await expect(refused).rejects.toMatchObject({
      code: 'unsupported_by_hardware',
      details: { field: 'timing.nominal.sjw', min: 1, max: 4 },
    });
  });

  it('are brought up without a rate where they have none, and made long enough for FD', async () => {
    ip('link add vcan7 mtu 16 type vcan');
    try {
      const running = await links.run(await find('vcan7'), at(500_000, { bus: 'canfd' }));
      expect(running).toMatchObject({ isUp: true, hasFd: true });
      await links.release(running);
      expect(flagsOf('vcan7')).toMatch(/DOWN/);
      expect(await find('vcan7')).toMatchObject({ isUp: false, hasFd: false });
    } finally {
      ip('link del vcan7');
    }
  });

  it('are told as they come, change and go', async () => {
    await links.list();
    let seen: readonly CanInterface[] = [];
    links.watch((all) => {
      seen = all;
    });
    const stateOf = (name: string) => seen.find((link) => link.name === name)?.isUp;
    ip('link add vcan8 type vcan');
    await eventually(() => stateOf('vcan8') === false);
    ip('link set vcan8 up');
    await eventually(() => stateOf('vcan8') === true);
    ip('link set vcan8 down');
    ip('link set vcan8 name lab8');
    await eventually(() => stateOf('lab8') === false);
    ip('link del lab8');
    await eventually(() => seen.length > 0 && stateOf('lab8') === undefined);
  });

  it('are told of in order: no old news behind an answer', async () => {
    const states: (boolean | undefined)[] = [];
    const running = await links.run(await find('can0'), at(250_000));
    links.watch((all) => states.push(all.find(({ name }) => name === 'can0')?.isUp));
    for (const bitrate of [500_000, 125_000]) {
      const { isUp } = await links.run(running, at(bitrate));
      states.push(isUp);
      expect(states.at(-1)).toBe(true);
      const reported = states.length;
      ip('link set vcan1 txqueuelen', String(bitrate / 1000));
      await eventually(() => states.length > reported);
      expect(states.slice(reported)).not.toContain(false);
    }
    await links.release(running);
  });
});
