import { describe, expect, it } from 'vitest';
import type { DeviceRecord } from '../device-record.ts';
import { checkFirmware } from './check-firmware.ts';
import type { FirmwareRelease } from './firmware-index.ts';

const device = (firmware_version: string): DeviceRecord => ({
  sn: 'A1',
  uid: 'u-1',
  name: 'Analyzer',
  driver: 'virtual',
  firmware_version,
  state: 'present',
  needs: null,
  ports: [],
});

const check = (installed: string, releases: readonly FirmwareRelease[]) =>
  checkFirmware(
    device(installed),
    { format: 'busbar-firmware', schema_version: 1, releases: [...releases] },
    'index.json',
  );

const release = (version: string, name = 'Analyzer'): FirmwareRelease => ({
  device: name,
  version,
});

describe('checkFirmware', () => {
  it('finds the newest release of the device, wherever it stands in the index', () => {
    const releases = [
      release('1.9.0'),
      release('1.10.0'),
      release('1.2.0'),
      release('9.0', 'Other'),
    ];
    expect(check('1.9.0', releases)).toEqual({
      sn: 'A1',
      uid: 'u-1',
      device: 'Analyzer',
      installed: '1.9.0',
      status: 'outdated',
      latest: { version: '1.10.0', notes: null, url: null },
      index: 'index.json',
    });
  });

  it.each([
    ['1.10.0', 'current'],
    ['1.10', 'current'],
    ['2.0.0', 'newer'],
    ['custom build', 'unknown'],
  ])('calls an installed %s %s', (installed, status) => {
    expect(check(installed, [release('1.10.0')])).toMatchObject({ status });
  });

  it('tells what the release says about itself', () => {
    const { latest } = check('1.0', [{ ...release('2.0'), notes: 'Faster', url: 'https://x/y' }]);
    expect(latest).toEqual({ version: '2.0', notes: 'Faster', url: 'https://x/y' });
  });

  it('says that the index does not list the device', () => {
    expect(check('1.0', [release('2.0', 'Other')])).toMatchObject({
      status: 'not_listed',
      latest: null,
    });
  });
});
