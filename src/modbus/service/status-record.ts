import { Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { ServerCounterRecord, serverStates } from '../server/server-record.ts';
import { SessionRecord, UnitReport } from '../session/session-record.ts';
import { TargetRecord } from './item-record.ts';

const ModbusUnit = named(
  'ModbusUnit',
  Type.Object({
    endpoint: Type.String({ description: 'That of its session' }),
    ...UnitReport.properties,
  }),
);

export const ModbusServerRecord = named(
  'ModbusServer',
  Type.Object({
    ...TargetRecord.properties,
    address: nullable(Type.String(), { description: 'Where it can be reached' }),
    unit: nullable(Type.Integer(), { description: 'Its unit; null where it has several' }),
    units: Type.Array(Type.Integer(), { description: 'All units that it has' }),
    map: nullable(Type.String(), { description: 'The file that tells what they have' }),
    instance: nullable(Type.String(), {
      description: 'The gateway instance that it belongs to; null if modbus serve started it',
    }),
    state: Type.Enum([...serverStates]),
    clients: counted('Connections now; a serial line has none'),
    started_at_us: Type.Integer(),
    ...ServerCounterRecord.properties,
  }),
);
export type ModbusServerRecord = RecordOf<typeof ModbusServerRecord>;

export const ModbusStatus = named(
  'ModbusStatus',
  Type.Object({
    sessions: Type.Array(SessionRecord),
    units: Type.Array(ModbusUnit, { description: 'Units that were asked over them' }),
    servers: Type.Array(ModbusServerRecord),
  }),
);
export type ModbusStatus = RecordOf<typeof ModbusStatus>;
