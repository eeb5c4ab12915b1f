import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import { eventually } from '../../src/base/testing/eventually.ts';
import type { ChannelSettings } from '../../src/drivers/channel-settings.ts';
import type { CanInterface } from '../../src/drivers/socketcan/can-interfaces.ts';
import { type LinkControl, openLinks } from '../../src/drivers/socketcan/link-control.ts';
import { KernelSlcan } from './support/kernel-slcan.ts';

const nobody = 65_534;
const shell = (line: string): string => execFileSync('sh', ['-c', line], { encoding: 'utf8' });

const at = (bitrate: number, mode: ChannelSettings['mode'] = 'normal'): ChannelSettings => ({
  bus: 'can',
  mode,
  bitrate,
});

describe('interfaces that fail', () => {
  let links: LinkControl;
  let seen: readonly CanInterface[];

  const open = async (): Promise<void> => {
    links = await openLinks(new SystemClock(), 512);
    links.watch((all) => {
      seen = all;
    });
    seen = await links.list();
  };
  const find = (name: string): CanInterface => {
    const found = seen.find((link) => link.name === name);
    if (!found) throw new RangeError(`There is no interface ${name}`);
    return found;
  };

  beforeEach(() => {
    shell('ip link set can0 down');
    shell(
      'ip link set can0 type can listen-only off berr-reporting off cc-len8-dlc off restart-ms 0',
    );
  });
  afterEach(() => links.close());

  it('are off the bus, back after a restart, and gone when they are pulled out', async () => {
    const slcan = await KernelSlcan.create();
    onTestFinished(() => slcan.remove());
    await open();
    expect(find(slcan.name)).toMatchObject({
      sn: slcan.name,
      hasController: true,
      port: {
        capabilities: {
          modes: ['normal', 'listen_only'],
          settings: ['mode', 'bitrate'],
          bitrate: { min: 10_000, max: 1_000_000 },
        },
      },
    });
    await expect(links.run(find(slcan.name), at(333_333))).rejects.toMatchObject({
      code: 'unsupported_by_hardware',
      details: { field: 'bitrate' },
    });
    const running = await links.run(find(slcan.name), at(500_000));
    expect(running).toMatchObject({ isUp: true, settings: { bitrate: 500_000 } });

    expect(running.busState).toBe('error_active');
    // No event reports this: it is polled once a second.
    slcan.say('sw098010');
    await eventually(() => find(slcan.name).busState === 'error_warning');

    slcan.say('sb000255');
    await eventually(() => find(slcan.name).isBusOff);
    await links.restart(running);
    await eventually(() => !find(slcan.name).isBusOff);
    expect(find(slcan.name)).toMatchObject({ isUp: true, isBusOff: false });

    await slcan.remove();
    await eventually(() => seen.every(({ name }) => name !== slcan.name));
    expect(links.preparation(running, at(250_000, 'listen_only'))).toBeUndefined();
    await expect(links.run(running, at(500_000))).rejects.toMatchObject({
      code: 'hardware_error',
      details: { reason: 'device_lost' },
    });
    await links.release(running);
  });

  /** Sockets have the permissions of the process that opened them. */
  const asNobody = async (): Promise<void> => {
    process.seteuid?.(nobody);
    onTestFinished(() => process.seteuid?.(0));
    await open();
  };

  it('for want of rights name the line to run once, and are used as it leaves them', async () => {
    await asNobody();
    const refusal = await links.run(find('can0'), at(250_000, 'listen_only')).then(
      () => undefined,
      (error) => error,
    );
    const line =
      'ip link set can0 up type can bitrate 250000 listen-only on berr-reporting on cc-len8-dlc on';
    expect(refusal).toMatchObject({
      code: 'hardware_error',
      message: expect.stringContaining(line),
      details: { reason: 'permission', device: 'can0', errno: 'EPERM', commands: [line] },
    });
    expect(refusal.hint).toBe(`Run sudo ${line}`);
    expect(find('can0').isUp).toBe(false);
    expect(links.preparation(find('can0'), at(250_000, 'listen_only'))).toBe(line);

    process.seteuid?.(0);
    shell(line);
    process.seteuid?.(nobody);
    const running = await links.run(find('can0'), at(250_000, 'listen_only'));
    expect(running).toMatchObject({
      isUp: true,
      settings: { bitrate: 250_000, mode: 'listen_only' },
    });
    await expect(links.run(running, at(500_000))).rejects.toMatchObject({
      details: {
        reason: 'permission',
        commands: [
          'ip link set can0 down',
          'ip link set can0 up type can bitrate 500000 listen-only off',
        ],
      },
    });
    expect(await links.list()).toContainEqual(running);
    await links.release(running);
    expect((await links.list()).find(({ name }) => name === 'can0')).toEqual(running);
  });
});
