import type { DeviceRecord } from '../device-record.ts';
import {
  compareFirmwareVersions,
  type FirmwareIndex,
  type FirmwareRelease,
} from './firmware-index.ts';
import type { FirmwareReport } from './firmware-record.ts';

const newest = (releases: readonly FirmwareRelease[]): FirmwareRelease | undefined =>
  releases.reduce<FirmwareRelease | undefined>(
    (best, release) =>
      best && (compareFirmwareVersions(release.version, best.version) ?? 0) <= 0 ? best : release,
    undefined,
  );

const statusOf = (
  installed: string,
  latest: FirmwareRelease | undefined,
): FirmwareReport['status'] => {
  if (!latest) return 'not_listed';
  const order = compareFirmwareVersions(installed, latest.version);
  if (order === undefined) return 'unknown';
  if (order === 0) return 'current';
  return order < 0 ? 'outdated' : 'newer';
};

export const checkFirmware = (
  { sn, uid, name, firmware_version }: DeviceRecord,
  firmware: FirmwareIndex,
  index: string,
): FirmwareReport => {
  const latest = newest(firmware.releases.filter(({ device }) => device === name));
  return {
    sn,
    uid,
    device: name,
    installed: firmware_version,
    status: statusOf(firmware_version, latest),
    latest: latest
      ? { version: latest.version, notes: latest.notes ?? null, url: latest.url ?? null }
      : null,
    index,
  };
};
