import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { traceRecord } from '../client/wire-record.ts';
import { dataTables } from '../pdu/data-tables.ts';
import { ItemRecord } from './item-record.ts';

const AttemptRecord = Type.Object({
  attempts: Type.Integer({ minimum: 1, description: 'Number of attempts' }),
  ...traceRecord,
});
export type AttemptRecord = RecordOf<typeof AttemptRecord>;

const itemsWithValues = (registers: string) => ({
  ...ItemRecord.properties,
  values: Type.Array(Type.String({ description: 'Exact value as a string' })),
  registers: Type.Array(Type.Integer({ minimum: 0, maximum: 65_535 }), {
    description: `${registers}; bits as 0 and 1`,
  }),
  ...AttemptRecord.properties,
});

export const ModbusReading = named(
  'ModbusReading',
  Type.Object(itemsWithValues('Raw registers or bits of the values')),
);
export type ModbusReading = RecordOf<typeof ModbusReading>;

export const ModbusRegisters = named(
  'ModbusRegisters',
  Type.Object({
    ...ItemRecord.properties,
    values: Type.Array(nullable(Type.String()), {
      description: 'Exact value as a string; null if the unit does not have all of its items',
    }),
    registers: Type.Array(nullable(Type.Integer({ minimum: 0, maximum: 65_535 })), {
      description: 'Raw registers, or bits as 0 and 1; null if the unit does not have them',
    }),
    ranges: Type.Array(
      Type.Object({
        table: Type.Enum([...dataTables]),
        address: Type.Integer({ minimum: 0 }),
        count: Type.Integer({ minimum: 1 }),
      }),
      {
        description:
          'Address ranges of the unit in all tables; only the first ones if there are many',
      },
    ),
    range_total: counted('Number of address ranges'),
  }),
);
export type ModbusRegisters = RecordOf<typeof ModbusRegisters>;

export const ModbusWriting = named(
  'ModbusWriting',
  Type.Object({
    ...itemsWithValues('Written values'),
    rounded: Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0, description: 'Index of the value' }),
        given: Type.String(),
        written: Type.String(),
      }),
      { description: 'Values that were rounded to the nearest float' },
    ),
  }),
);
export type ModbusWriting = RecordOf<typeof ModbusWriting>;
