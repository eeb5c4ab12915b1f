import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { traceRecord } from '../client/wire-record.ts';
import { dataTables } from '../pdu/data-tables.ts';
import { ItemRecord } from './item-record.ts';

const AttemptRecord = Type.Object({
  attempts: Type.Integer({ minimum: 1, description: 'How often the request was made' }),
  ...traceRecord,
});
export type AttemptRecord = RecordOf<typeof AttemptRecord>;

const itemsWithValues = (registers: string) => ({
  ...ItemRecord.properties,
  values: Type.Array(Type.String({ description: 'Exact, as text' })),
  registers: Type.Array(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    description: `${registers}; bits as 0 and 1`,
  }),
  ...AttemptRecord.properties,
});

export const ModbusReading = named(
  'ModbusReading',
  Type.Object(itemsWithValues('What the values were made of')),
);
export type ModbusReading = RecordOf<typeof ModbusReading>;

/** Data of a server, read without a request. */
export const ModbusRegisters = named(
  'ModbusRegisters',
  Type.Object({
    ...ItemRecord.properties,
    values: Type.Array(nullable(Type.String()), {
      description: 'Exact, as text; null where the unit has not all that the value takes',
    }),
    registers: Type.Array(nullable(Type.Integer({ minimum: 0, maximum: 65_535 })), {
      description: 'What the values were made of, bits as 0 and 1; null where the unit has none',
    }),
    ranges: Type.Array(
      Type.Object({
        table: Type.Enum([...dataTables]),
        address: Type.Integer({ minimum: 0 }),
        count: Type.Integer({ minimum: 1 }),
      }),
      {
        description: 'What the unit has in all of its tables; the first of it where there is much',
      },
    ),
    range_total: counted('How many such ranges there are'),
  }),
);
export type ModbusRegisters = RecordOf<typeof ModbusRegisters>;

export const ModbusWriting = named(
  'ModbusWriting',
  Type.Object({
    ...itemsWithValues('What was written'),
    rounded: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0, description: 'Which of the values, from 0 on' }),
        given: Type.String(),
        written: Type.String(),
      }),
      { description: 'Values that are not what was given, but the nearest float to it' },
    ),
  }),
);
export type ModbusWriting = RecordOf<typeof ModbusWriting>;
