import { Type } from 'typebox';
import { ErrorCodeSchema } from '../../base/errors/error-schema.ts';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { traceRecord } from '../client/wire-record.ts';
import { ItemRecord } from './item-record.ts';

export const ModbusPoll = named(
  'ModbusPoll',
  Type.Object({
    sequence: Type.Integer({ minimum: 1, description: 'Counts polls, also those never shown' }),
    timestamp_us: Type.Integer({ description: 'Unix time in microseconds' }),
    ...ItemRecord.properties,
    values: nullable(Type.Array(Type.String())),
    registers: nullable(Type.Array(Type.Integer())),
    error: nullable(
      Type.Object({
        code: ErrorCodeSchema,
        message: Type.String(),
        details: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Facts for programs, such as the code of an exception',
        }),
      }),
      { description: 'Why there are no values; polling goes on' },
    ),
    missed: counted('Periods that went by without a poll'),
    coalesced: counted('Results that a newer one replaced before they could be shown'),
    ...traceRecord,
  }),
);
export type ModbusPoll = RecordOf<typeof ModbusPoll>;
