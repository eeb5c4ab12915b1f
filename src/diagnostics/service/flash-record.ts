import { Type } from 'typebox';
import { counted, named, type RecordOf } from '../../base/schema/schemas.ts';

export const FlashReport = named(
  'FlashReport',
  Type.Object({
    ecu: Type.String(),
    file: Type.String({ description: 'Image' }),
    sequence: Type.String({ description: 'File of the steps' }),
    bytes: counted('Bytes of the image that the ECU acknowledged'),
    segments: Type.Array(
      Type.Object({ address: counted('First address'), size: counted('Bytes') }),
      { description: 'Ranges of memory in the image' },
    ),
    requests: counted('Requests sent'),
    pending: counted('Responses 0x78'),
    duration_us: counted('Time of the whole sequence'),
    steps: Type.Array(
      Type.Object({
        name: Type.String(),
        requests: counted('Requests of the step'),
        duration_us: counted('Time of the step'),
      }),
    ),
  }),
);
export type FlashReport = RecordOf<typeof FlashReport>;
