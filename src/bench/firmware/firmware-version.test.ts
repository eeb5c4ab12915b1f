import { describe, expect, it } from 'vitest';
import { compareFirmwareVersions, isFirmwareVersion } from './firmware-index.ts';

describe('firmware versions', () => {
  const older: readonly (readonly [string, string])[] = [
    ['1.2.3', '1.2.4'],
    ['1.9', '1.10'],
    ['1', '1.0.1'],
    ['1.0.0-rc.1', '1.0.0'],
    ['1.0.0-alpha', '1.0.0-beta'],
    ['v1.2', '2'],
    ['1.0.0-rc.9', '1.0.0-rc.10'],
    ['1.0.0-rc', '1.0.0-rc.1'],
    ['1.0.0-7', '1.0.0-rc'],
  ];

  it.each(older)('puts %s before %s', (a, b) => {
    expect(compareFirmwareVersions(a, b)).toBeLessThan(0);
    expect(compareFirmwareVersions(b, a)).toBeGreaterThan(0);
  });

  it('takes numbers that are left out for zeros, and no notice of a leading v', () => {
    expect(compareFirmwareVersions('v1.2', '1.2.0')).toBe(0);
  });

  it.each(['', 'latest', '1..2', '1.2.', '1.2 beta', '-1'])('does not order %j', (text) => {
    expect(isFirmwareVersion(text)).toBe(false);
    expect(compareFirmwareVersions(text, '1.0')).toBeUndefined();
    expect(compareFirmwareVersions('1.0', text)).toBeUndefined();
  });
});
