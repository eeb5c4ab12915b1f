import { describe, expect, it } from 'vitest';
import type { Bench } from './bench-record.ts';
import { builtInBench } from './built-in-bench.ts';
import { DeviceAddresses } from './device-addresses.ts';

const benchWith = (...devices: { driver: string; address: string }[]): Bench => ({
  ...builtInBench,
  devices: devices as unknown as Bench['devices'],
});

describe('the addresses of devices', () => {
  it('are those of the bench that was read last, by driver', async () => {
    const addresses = new DeviceAddresses();
    expect(addresses.of('slcan')).toEqual([]);
    const one = { driver: 'slcan', address: '/dev/ttyACM0' };
    const other = { driver: 'slcan', address: '/dev/ttyACM1' };
    await addresses.read(async () => benchWith(one, { driver: 'lin-uart', address: 'x' }, other));
    expect(addresses.of('slcan')).toEqual(['/dev/ttyACM0', '/dev/ttyACM1']);
    await addresses.read(async () => benchWith(other));
    expect(addresses.of('slcan')).toEqual(['/dev/ttyACM1']);
    expect(addresses.of('lin-uart')).toEqual([]);
  });

  it('stay as they were where the bench cannot be read', async () => {
    const addresses = new DeviceAddresses();
    await addresses.read(async () => benchWith({ driver: 'slcan', address: 'a' }));
    await addresses.read(async () => {
      throw new Error('no bench');
    });
    expect(addresses.of('slcan')).toEqual(['a']);
  });
});
