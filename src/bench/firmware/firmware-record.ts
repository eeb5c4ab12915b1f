import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../../base/schema/schemas.ts';

export const FirmwareReport = named(
  'FirmwareReport',
  Type.Object({
    sn: Type.String(),
    uid: Type.String(),
    device: Type.String({ description: 'Device name under which the index lists releases' }),
    installed: Type.String({ description: 'Installed version, as reported by the device' }),
    status: Type.Enum(['current', 'outdated', 'newer', 'not_listed', 'unknown'], {
      description:
        'Installed version compared with the latest one; unknown if they cannot be compared',
    }),
    latest: nullable(
      Type.Object({
        version: Type.String(),
        notes: nullable(Type.String()),
        url: nullable(Type.String()),
      }),
      { description: 'Newest release for the device; null if the index has none' },
    ),
    index: Type.String({ description: 'File or URL of the index' }),
  }),
);
export type FirmwareReport = RecordOf<typeof FirmwareReport>;
