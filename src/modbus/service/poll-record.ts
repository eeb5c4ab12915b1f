import { Type } from 'typebox';
import { ErrorCodeSchema } from '../../base/errors/error-schema.ts';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { traceRecord } from '../client/wire-record.ts';
import { ItemRecord } from './item-record.ts';

export const ModbusPoll = named(
  'ModbusPoll',
  Type.Object({
    sequence: Type.Integer({ minimum: 1, description: 'Poll number, including polls never shown' }),
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
      { description: 'Reason for missing values; polling continues' },
    ),
    missed: counted('Periods without a poll'),
    coalesced: counted('Results replaced by newer ones before they were shown'),
    ...traceRecord,
  }),
);
export type ModbusPoll = RecordOf<typeof ModbusPoll>;
