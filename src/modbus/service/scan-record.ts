import { Type } from 'typebox';
import { ErrorCodeSchema } from '../../base/errors/error-schema.ts';
import { named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { traceRecord } from '../client/wire-record.ts';
import { TargetRecord } from './item-record.ts';

const scanStates = ['answering', 'exception', 'silent', 'failed'] as const;

export const ScannedUnit = named(
  'ModbusScannedUnit',
  Type.Object({
    unit: Type.Integer(),
    state: Type.Enum([...scanStates], {
      description:
        'exception: it is there, and refused the request, unless the code is that of a gateway; failed: what came was no answer, or the link broke over the request',
    }),
    exception: nullable(Type.Object({ code: Type.Integer(), name: Type.String() }), {
      description: 'What it answered with',
    }),
    round_trip_us: nullable(Type.Integer({ minimum: 0 }), {
      description: 'From the request to the answer',
    }),
    error: nullable(Type.Object({ code: ErrorCodeSchema, message: Type.String() })),
    ...traceRecord,
  }),
);
export type ScannedUnit = RecordOf<typeof ScannedUnit>;

export const ModbusScan = named(
  'ModbusScan',
  Type.Object({
    ...TargetRecord.properties,
    units: Type.Array(ScannedUnit, { description: 'All that were not silent' }),
    silent: Type.Array(Type.Integer(), { description: 'Units that did not answer in time' }),
  }),
);
export type ModbusScan = RecordOf<typeof ModbusScan>;
