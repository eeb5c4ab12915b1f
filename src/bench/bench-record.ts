import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { Dashboard } from './dashboard.ts';

/** How Modbus is framed over TCP: with its own header, or like on a serial line. */
export const tcpFramings = ['tcp', 'rtu'] as const;
export const serialFramings = ['rtu', 'ascii'] as const;
export const parities = ['none', 'even', 'odd'] as const;

const BenchDevice = Type.Object({
  driver: Type.String(),
  address: Type.String({ description: 'Where the driver finds it' }),
  ports: Type.Record(Type.String(), Type.String(), { description: 'Names of ports, by number' }),
});
/** Devices that are found by themselves have their serial number as their address. */
export type BenchDevice = RecordOf<typeof BenchDevice>;

const BusNetwork = Type.Object(
  { channel: nullable(Type.String(), { description: 'Physical selector; null while unbound' }) },
  { description: 'A network of CAN or LIN' },
);

/** What is done with a Modbus unit that did not answer in time. */
const lateUnitFields = {
  late_ms: Type.Optional(Type.Integer({ description: 'How long late units are left alone' })),
  probe: Type.Optional(Type.Boolean({ description: 'Whether late units may be probed' })),
};

/** What holds for Modbus in frames of serial lines, wherever they are sent. */
const lineFields = {
  gap_ms: Type.Optional(Type.Integer({ description: 'Longest pause inside a frame' })),
  ...lateUnitFields,
  units: Type.Optional(
    Type.Record(Type.String(), Type.Object(lateUnitFields), {
      description: 'What is different for single units, by their ids',
    }),
  ),
};

/** The fields of a line are for its framing only; that of Modbus TCP is meant if none is given. */
const TcpNetwork = Type.Object(
  {
    tcp: Type.Object({
      host: Type.String(),
      port: Type.Integer(),
      framing: Type.Optional(
        Type.Enum([...tcpFramings], {
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
      framing: Type.Enum([...serialFramings]),
      baud_rate: Type.Integer(),
      data_bits: Type.Integer(),
      parity: Type.Enum([...parities]),
      stop_bits: Type.Integer(),
      ...lineFields,
    }),
  },
  { description: 'Modbus nodes on a serial line' },
);
export type SerialNetwork = RecordOf<typeof SerialNetwork>;

const BenchNetwork = Type.Union([BusNetwork, TcpNetwork, SerialNetwork]);
/** A logical network: a port of CAN or LIN, or no port yet, or a way to Modbus nodes. */
export type BenchNetwork = RecordOf<typeof BenchNetwork>;

/** What stands on a bench. Plain data that crosses threads. */
export const Bench = named(
  'Bench',
  Type.Object({
    source: Type.Enum(['project', 'global', 'built-in']),
    path: nullable(Type.String(), { description: 'The file; null for the built-in bench' }),
    project_id: nullable(Type.String()),
    devices: Type.Array(BenchDevice),
    networks: Type.Record(Type.String(), BenchNetwork),
    firmware_index: nullable(Type.String(), {
      description: 'File or URL that lists firmware releases',
    }),
    dashboard: nullable(Dashboard, { description: 'What the console shows first' }),
  }),
);
export type Bench = RecordOf<typeof Bench>;
