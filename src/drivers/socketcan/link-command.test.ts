import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { changeRefused, ipCommands } from './link-control.ts';
import { canMode } from './netlink/can-link-data.ts';
import type { LinkChange } from './netlink/links.ts';
import { KernelRefusal } from './netlink/refusal.ts';

const both = canMode.fd | canMode.listenOnly;
const quanta = { quantum: 125, propagation: 6, phase1: 7, phase2: 2, sjw: 1 };

describe('the line that does the same as a change', () => {
  it.each<[LinkChange, string]>([
    [{ isUp: true }, 'ip link set can0 up'],
    [{ isUp: false }, 'ip link set can0 down'],
    [{ isUp: true, mtu: 72 }, 'ip link set can0 mtu 72 up'],
    [{ txQueueLength: 100 }, 'ip link set can0 txqueuelen 100'],
    [
      {
        isUp: true,
        controller: {
          bitTiming: { bitrate: 500_000, samplePoint: 875 },
          dataBitTiming: { bitrate: 2_000_000 },
          modes: { mask: both, flags: canMode.fd },
          restartMs: 0,
          termination: 120,
        },
      },
      'ip link set can0 up type can bitrate 500000 sample-point 0.875 dbitrate 2000000 fd on listen-only off restart-ms 0 termination 120',
    ],
    [
      { controller: { bitTiming: quanta, dataBitTiming: quanta, restart: true } },
      'ip link set can0 type can tq 125 prop-seg 6 phase-seg1 7 phase-seg2 2 sjw 1 dtq 125 dprop-seg 6 dphase-seg1 7 dphase-seg2 2 dsjw 1 restart',
    ],
  ])('for %j', (change, line) => {
    expect(ipCommands('can0', change, false)).toEqual([line]);
  });

  it('comes behind one that takes the interface down, where it is up', () => {
    expect(ipCommands('can0', { isUp: true }, true)).toEqual([
      'ip link set can0 down',
      'ip link set can0 up',
    ]);
  });
});

describe('a change that the kernel refuses', () => {
  const errno = { EPERM: 1, EBUSY: 16, ENODEV: 19, EINVAL: 22, EDOM: 33, EOPNOTSUPP: 95 } as const;
  const refusedWith = (code: number, change: LinkChange, text?: string): BusbarError =>
    changeRefused(new KernelRefusal(code, text), {
      name: 'can0',
      change,
      commands: ipCommands('can0', change, false),
    });
  const rate: LinkChange = { isUp: true, controller: { bitTiming: { bitrate: 1 } } };

  it('for want of rights names the line to run', () => {
    const line = 'ip link set can0 up type can bitrate 1';
    expect(refusedWith(errno.EPERM, rate)).toMatchObject({
      code: 'hardware_error',
      message: expect.stringContaining(line),
      details: { reason: 'permission', device: 'can0', commands: [line] },
    });
  });

  it.each<[keyof typeof errno, LinkChange, string]>([
    ['EDOM', rate, 'bitrate'],
    ['EINVAL', { controller: { bitTiming: quanta } }, 'timing.nominal'],
    ['EOPNOTSUPP', { controller: { dataBitTiming: { bitrate: 1 } } }, 'data_bitrate'],
    ['EOPNOTSUPP', { controller: { modes: { mask: 1, flags: 1 } } }, 'mode'],
    ['EOPNOTSUPP', { controller: { termination: 120 } }, 'termination'],
  ])('with %s is beyond the hardware: %j', (name, change, field) => {
    expect(refusedWith(errno[name], change, 'words of the kernel')).toMatchObject({
      code: 'unsupported_by_hardware',
      details: { field, errno: name, kernel: 'words of the kernel' },
    });
  });

  it('may come too late', () => {
    expect(refusedWith(errno.EBUSY, rate)).toMatchObject({ code: 'busy' });
    expect(refusedWith(errno.ENODEV, rate)).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'device_lost' },
    });
  });

  it('is told with its number where it has no meaning here', () => {
    expect(refusedWith(12, rate)).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'refused', errno: 'ENOMEM' },
    });
    expect(new KernelRefusal(4000).errno).toBe('errno 4000');
  });

  it('is no refusal where something else went wrong', () => {
    const thrown = new BusbarError('hardware_error');
    expect(changeRefused(thrown, { name: 'can0', change: rate, commands: [] })).toBe(thrown);
  });
});
