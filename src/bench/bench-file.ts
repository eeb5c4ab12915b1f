import { type Static, Type } from 'typebox';
import { parities, serialFramings, tcpFramings } from './bench-record.ts';
import { Dashboard } from './dashboard.ts';

const closed = { additionalProperties: false } as const;

const FileDevice = Type.Object(
  {
    driver: Type.String({ minLength: 1, description: 'Which driver reaches it' }),
    address: Type.String({ minLength: 1, description: 'Where that driver finds it' }),
    ports: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Names of its ports, by number' }),
    ),
  },
  closed,
);

/** A network of CAN or LIN with its binding spelt out. */
export const FileBusNetwork = Type.Object(
  {
    channel: Type.Union([Type.String(), Type.Null()], {
      description: 'Port it is bound to; null leaves it unbound',
    }),
  },
  closed,
);

const fileUnitFields = {
  late_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),
  probe: Type.Optional(Type.Boolean()),
};

/** For frames of serial lines, which do not tell what they answer, wherever they are sent. */
const fileLineFields = {
  gap_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  ...fileUnitFields,
  units: Type.Optional(Type.Record(Type.String(), Type.Object(fileUnitFields, closed))),
};

export const lineFieldNames = Object.keys(fileLineFields);

export const FileTcpNetwork = Type.Object(
  {
    tcp: Type.Object(
      {
        host: Type.String({ minLength: 1 }),
        port: Type.Integer({ minimum: 1, maximum: 65_535 }),
        framing: Type.Optional(Type.Enum([...tcpFramings])),
        ...fileLineFields,
      },
      closed,
    ),
  },
  closed,
);

export const FileSerialNetwork = Type.Object(
  {
    serial: Type.Object(
      {
        port: Type.String({ minLength: 1 }),
        framing: Type.Enum([...serialFramings]),
        baud_rate: Type.Optional(Type.Integer({ minimum: 50, maximum: 4_000_000 })),
        data_bits: Type.Optional(Type.Integer({ minimum: 7, maximum: 8 })),
        parity: Type.Optional(Type.Enum([...parities])),
        stop_bits: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
        ...fileLineFields,
      },
      closed,
    ),
  },
  closed,
);

/**
 * The content of `busbar.bench.json`. Networks are judged one by one, by the form each of them
 * has: of a union it could not be told which form the author meant.
 */
export const BenchFile = Type.Object(
  {
    project_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    devices: Type.Optional(Type.Array(FileDevice)),
    networks: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
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
