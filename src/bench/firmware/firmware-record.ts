import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../../base/schema/schemas.ts';

export const FirmwareReport = named(
  'FirmwareReport',
  Type.Object({
    sn: Type.String(),
    uid: Type.String(),
    device: Type.String({ description: 'Name of the device, by which the index lists releases' }),
    installed: Type.String({ description: 'Version that the device tells' }),
    status: Type.Enum(['current', 'outdated', 'newer', 'not_listed', 'unknown'], {
      description:
        'The installed version beside the latest one; unknown where they cannot be put in order',
    }),
    latest: nullable(
      Type.Object({
        version: Type.String(),
        notes: nullable(Type.String()),
        url: nullable(Type.String()),
      }),
      { description: 'The newest release for the device; null if the index has none' },
    ),
    index: Type.String({ description: 'File or address that the index was read from' }),
  }),
);
export type FirmwareReport = RecordOf<typeof FirmwareReport>;
