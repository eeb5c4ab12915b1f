import { describe, expect, it } from 'vitest';
import { portRightFor, serialNeeds } from './serial-needs.ts';

describe('what a serial port needs', () => {
  const who = { groups: 'root:x:0:\ndialout:x:20:grace\n', user: 'ada' };

  it('is that its group is joined, where it has one besides root', () => {
    expect(portRightFor('/dev/ttyUSB0', 20, who)).toBe('usermod -aG dialout ada');
  });

  it.each([0, 999, undefined])('is a right for all where its group is %s', (gid) => {
    expect(portRightFor('/dev/ttyUSB0', gid, who)).toBe('chmod a+rw /dev/ttyUSB0');
  });

  it('is nothing where it may be opened, or is not there', async () => {
    expect(await serialNeeds('/dev/null')).toBeUndefined();
    expect(await serialNeeds('/dev/none-of-that-name')).toBeUndefined();
  });
});
