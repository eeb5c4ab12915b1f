import { Type } from 'typebox';
import { named, type RecordOf } from '../base/schema/schemas.ts';

/** Bit timing in quanta, not as encoded in controller registers. */
export const BitTiming = named(
  'BitTiming',
  Type.Object(
    {
      prescaler: Type.Integer({ minimum: 1, maximum: 512 }),
      tseg1: Type.Integer({ minimum: 1, maximum: 256 }),
      tseg2: Type.Integer({ minimum: 1, maximum: 128 }),
      sjw: Type.Integer({ minimum: 1, maximum: 128 }),
    },
    {
      additionalProperties: false,
      description: 'Time quanta of a bit, after the synchronisation segment',
    },
  ),
);
export type BitTiming = RecordOf<typeof BitTiming>;
