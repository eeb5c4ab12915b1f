import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { SerialNetwork, TcpNetwork } from '../modbus/transport/network-record.ts';
import { Dashboard } from './dashboard.ts';
import { EcuEntry } from './ecu-entry.ts';
import { RecorderEntry } from './recorder-entry.ts';

export const RestartMs = Type.Integer({
  description:
    'CAN: bus-off time in milliseconds after which the controller is recovered automatically; 0 = never',
  minimum: 0,
  maximum: 3_600_000,
  examples: [100],
});

export const BenchDatabases = Type.Record(
  Type.String(),
  Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 64 }),
  {
    description:
      'Database files by port name or network, in order: loaded and attached whenever the channel is opened',
  },
);

const BenchDevice = Type.Object({
  driver: Type.String(),
  address: Type.String({ description: 'Address of the device for the driver' }),
  ports: Type.Record(Type.String(), Type.String(), { description: 'Port names by number' }),
});
export type BenchDevice = RecordOf<typeof BenchDevice>;

const BusNetwork = Type.Object(
  {
    channel: nullable(Type.String(), { description: 'Physical selector; null while unbound' }),
    restart_ms: Type.Optional(RestartMs),
  },
  { description: 'CAN or LIN network' },
);

const BenchNetwork = Type.Union([BusNetwork, TcpNetwork, SerialNetwork]);
export type BenchNetwork = RecordOf<typeof BenchNetwork>;

export const Bench = named(
  'Bench',
  Type.Object({
    source: Type.Enum(['project', 'global', 'built-in']),
    path: nullable(Type.String(), {
      description: 'Path of the bench file; null for the built-in bench',
    }),
    project_id: nullable(Type.String()),
    devices: Type.Array(BenchDevice),
    networks: Type.Record(Type.String(), BenchNetwork),
    databases: BenchDatabases,
    ecus: Type.Record(Type.String(), EcuEntry, { description: 'ECUs by name, as in the file' }),
    recorders: Type.Record(Type.String(), RecorderEntry, {
      description: 'Recorders by name, as in the file',
    }),
    firmware_index: nullable(Type.String(), {
      description: 'File or URL that lists firmware releases',
    }),
    dashboard: nullable(Dashboard, { description: 'Dashboard of the console' }),
  }),
);
export type Bench = RecordOf<typeof Bench>;
