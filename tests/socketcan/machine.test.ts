import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Type of a CAN interface in /sys (ARPHRD_CAN). */
const canDevice = '280';

const fileOf = (name: string, file: string): string =>
  readFileSync(`/sys/class/net/${name}/${file}`, 'utf8').trim();

describe('the machine of these tests', () => {
  it('has two virtual interfaces and two controllers', () => {
    const names = readdirSync('/sys/class/net').filter(
      (name) => fileOf(name, 'type') === canDevice,
    );
    expect(names.sort()).toEqual(expect.arrayContaining(['can0', 'can1', 'vcan0', 'vcan1']));
  });

  it('has virtual interfaces that carry FD frames', () => {
    expect(['vcan0', 'vcan1'].map((name) => fileOf(name, 'mtu'))).toEqual(['72', '72']);
  });

  it.each(['can_raw', 'can_bcm', 'can_gw', 'can_isotp', 'can_j1939', 'slcan', 'vxcan'])(
    'has %s',
    (name) => {
      expect(readdirSync('/sys/module')).toContain(name);
    },
  );
});
