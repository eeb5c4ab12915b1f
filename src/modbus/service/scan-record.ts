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
        'exception: the unit exists and rejected the request, unless a gateway returned the code; failed: invalid response or broken connection',
    }),
    exception: nullable(Type.Object({ code: Type.Integer(), name: Type.String() }), {
      description: 'Exception returned by the unit',
    }),
    round_trip_us: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Time from request to response',
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
    units: Type.Array(ScannedUnit, { description: 'All units that did not time out' }),
    silent: Type.Array(Type.Integer(), { description: 'Units that timed out' }),
  }),
);
export type ModbusScan = RecordOf<typeof ModbusScan>;
