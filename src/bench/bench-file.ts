import { type Static, Type } from 'typebox';
import {
  serialFields,
  serialSettingFields,
  tcpFields,
} from '../modbus/transport/network-record.ts';
import { BenchDatabases, RestartMs } from './bench-record.ts';
import { Dashboard } from './dashboard.ts';
import { EcuEntry } from './ecu-entry.ts';
import { RecorderEntry } from './recorder-entry.ts';

const closed = { additionalProperties: false } as const;

const FileDevice = Type.Object(
  {
    driver: Type.String({ minLength: 1, description: 'Driver of the device' }),
    address: Type.String({ minLength: 1, description: 'Address of the device for the driver' }),
    ports: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Port names by number' }),
    ),
  },
  closed,
);

export const FileBusNetwork = Type.Object(
  {
    channel: Type.Union([Type.String(), Type.Null()], {
      description: 'Port that the network is bound to; null if unbound',
    }),
    restart_ms: Type.Optional(RestartMs),
  },
  closed,
);

export const FileTcpNetwork = Type.Object({ tcp: Type.Object(tcpFields(closed), closed) }, closed);

export const FileSerialNetwork = Type.Object(
  {
    serial: Type.Object(
      { ...serialFields(closed), ...Type.Partial(Type.Object(serialSettingFields)).properties },
      closed,
    ),
  },
  closed,
);

/**
 * Schema of `busbar.bench.json`. Networks are validated one by one, because a union could not
 * say which form was meant.
 */
export const BenchFile = Type.Object(
  {
    project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    devices: Type.Optional(Type.Array(FileDevice)),
    networks: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    databases: Type.Optional(BenchDatabases),
    ecus: Type.Optional(Type.Record(Type.String(), EcuEntry)),
    recorders: Type.Optional(Type.Record(Type.String(), RecorderEntry)),
    firmware_index: Type.Optional(Type.String({ minLength: 1 })),
    dashboard: Type.Optional(Dashboard),
  },
  closed,
);

export type FileDevice = Static<typeof FileDevice>;
export type FileNetwork =
  | string
  | null
  | Static<typeof FileBusNetwork>
  | Static<typeof FileTcpNetwork>
  | Static<typeof FileSerialNetwork>;
export type BenchFile = Omit<Static<typeof BenchFile>, 'networks'> & {
  readonly networks?: Readonly<Record<string, FileNetwork>>;
};
