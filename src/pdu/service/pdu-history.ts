import { Type } from 'typebox';
import { named, type RecordOf } from '../../base/schema/schemas.ts';
import { PduRecord } from '../pdu-record.ts';

export const PduHistory = named(
  'PduHistory',
  Type.Object({
    pdus: Type.Array(PduRecord),
    next_after: Type.Integer({ minimum: 0, description: 'Sequence of the last PDU checked' }),
    oldest_available: Type.Integer({ minimum: 0 }),
    newest_available: Type.Integer({ minimum: 0 }),
  }),
);
export type PduHistory = RecordOf<typeof PduHistory>;
