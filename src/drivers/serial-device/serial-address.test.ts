import { describe, expect, it } from 'vitest';
import { readSerialAddress, serialAddressError } from './serial-address.ts';

const errorOf = (text: string) =>
  serialAddressError(text, '/dev/ttyUSB0', {
    rate: (value) => (value === '1' ? undefined : 'has a rate that is not 1'),
  });

describe('the address of a device on a serial port', () => {
  it('is a path with options in any number', () => {
    expect(readSerialAddress('/dev/a')).toEqual({ named: '/dev/a', options: [] });
    expect(readSerialAddress('/dev/a,rate=1,b=c=d,e').options).toEqual([
      ['rate', '1'],
      ['b', 'c=d'],
      ['e', ''],
    ]);
  });

  it.each([
    ['/dev/a', undefined],
    ['/dev/a,rate=1', undefined],
    ['a', 'must be the path of a serial port, such as /dev/ttyUSB0'],
    ['/dev/a,', 'has an unknown option ; known options: rate'],
    ['/dev/a,toString=1', 'has an unknown option toString; known options: rate'],
    ['/dev/a,rate=2', 'has a rate that is not 1'],
    ['/dev/a,rate=1,rate=1', 'has the option rate twice'],
  ])('has its flaws named: %s', (text, error) => {
    expect(errorOf(text)).toBe(error);
  });
});
