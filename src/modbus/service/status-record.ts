import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { ServerCounterRecord, serverStates } from '../server/server-record.ts';
import { SessionRecord, UnitReport } from '../session/session-record.ts';
import { TargetRecord } from './item-record.ts';

const ModbusUnit = named(
  'ModbusUnit',
  Type.Object({
    endpoint: Type.String({ description: 'Endpoint of its session' }),
    ...UnitReport.properties,
  }),
);

export const ModbusServerRecord = named(
  'ModbusServer',
  Type.Object({
    ...TargetRecord.properties,
    address: nullable(Type.String(), { description: 'Address of the server' }),
    unit: nullable(Type.Integer(), { description: 'Unit ID; null if it has several' }),
    units: Type.Array(Type.Integer(), { description: 'All units of the server' }),
    map: nullable(Type.String(), { description: 'Map file that defines the units' }),
    instance: nullable(Type.String(), {
      description: 'Gateway instance that owns the server; null if it was started by modbus serve',
    }),
    state: Type.Enum([...serverStates]),
    clients: counted('Open connections; none on a serial line'),
    started_at_us: Type.Integer(),
    ...ServerCounterRecord.properties,
  }),
);
export type ModbusServerRecord = RecordOf<typeof ModbusServerRecord>;

export const ModbusStatus = named(
  'ModbusStatus',
  Type.Object({
    sessions: Type.Array(SessionRecord),
    units: Type.Array(ModbusUnit, { description: 'Units that were addressed' }),
    servers: Type.Array(ModbusServerRecord),
  }),
);
export type ModbusStatus = RecordOf<typeof ModbusStatus>;
