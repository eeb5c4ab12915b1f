import { Type } from 'typebox';
import { named, nullable } from '../base/json/schemas.ts';
import { Dashboard } from '../bench/dashboard.ts';
import { defineOperation } from './define.ts';

const BenchDevice = Type.Object({
  driver: Type.String(),
  address: Type.String({ description: 'Where the driver finds it' }),
  ports: Type.Record(Type.String(), Type.String(), { description: 'Names of ports, by number' }),
});

const BusNetwork = Type.Object(
  { channel: nullable(Type.String(), { description: 'Physical selector; null while unbound' }) },
  { description: 'A network of CAN or LIN' },
);

const lateUnitFields = {
  late_ms: Type.Optional(Type.Integer({ description: 'How long late units are left alone' })),
  probe: Type.Optional(Type.Boolean({ description: 'Whether late units may be probed' })),
};

const lineFields = {
  gap_ms: Type.Optional(Type.Integer({ description: 'Longest pause inside a frame' })),
  ...lateUnitFields,
  units: Type.Optional(
    Type.Record(Type.String(), Type.Object(lateUnitFields), {
      description: 'What is different for single units, by their ids',
    }),
  ),
};

const TcpNetwork = Type.Object(
  {
    tcp: Type.Object({
      host: Type.String(),
      port: Type.Integer(),
      framing: Type.Optional(
        Type.Enum(['tcp', 'rtu'], {
          description: 'rtu: frames of a serial line, as simple converters pass them on',
        }),
      ),
      ...lineFields,
    }),
  },
  { description: 'Modbus nodes behind TCP' },
);

const SerialNetwork = Type.Object(
  {
    serial: Type.Object({
      port: Type.String(),
      framing: Type.Enum(['rtu', 'ascii']),
      baud_rate: Type.Integer(),
      data_bits: Type.Integer(),
      parity: Type.Enum(['none', 'even', 'odd']),
      stop_bits: Type.Integer(),
      ...lineFields,
    }),
  },
  { description: 'Modbus nodes on a serial line' },
);

export const benchShow = defineOperation({
  id: 'bench.show',
  summary: 'Show the bench in use: its devices, port names and logical networks',
  description:
    'The bench is busbar.bench.json in the project directory, else the one in the user’s configuration directory, else the built-in virtual bench.',
  result: named(
    'Bench',
    Type.Object({
      source: Type.Enum(['project', 'global', 'built-in']),
      path: nullable(Type.String(), { description: 'The file; null for the built-in bench' }),
      project_id: nullable(Type.String()),
      devices: Type.Array(BenchDevice),
      networks: Type.Record(Type.String(), Type.Union([BusNetwork, TcpNetwork, SerialNetwork])),
      firmware_index: nullable(Type.String(), {
        description: 'File or URL that lists firmware releases',
      }),
      dashboard: nullable(Dashboard, { description: 'What the console shows first' }),
    }),
  ),
  errors: ['invalid_bench'],
  permission: 'observe',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: { words: ['bench', 'show'] },
  http: { method: 'GET', path: '/api/v1/bench', success: 200 },
  examples: ['busbar bench show', 'busbar bench show --project=/srv/benches/door-module'],
});
