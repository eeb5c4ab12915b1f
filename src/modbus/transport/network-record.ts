import { Type } from 'typebox';
import type { RecordOf } from '../../base/schema/schemas.ts';
import type { Parity } from '../../base/serial/serial-settings.ts';

const tcpFramings = ['tcp', 'rtu'] as const;
const serialFramings = ['rtu', 'ascii'] as const;
const parities = ['none', 'even', 'odd'] as const satisfies readonly Parity[];

export const tcpPortRange = { minimum: 1, maximum: 65_535 } as const;
export const baudRateRange = { minimum: 50, maximum: 4_000_000 } as const;
export const dataBitsRange = { minimum: 7, maximum: 8 } as const;
export const stopBitsRange = { minimum: 1, maximum: 2 } as const;
export const gapMsRange = { minimum: 1, maximum: 10_000 } as const;
export const lateMsRange = { minimum: 1, maximum: 60_000 } as const;

type ObjectOptions = { readonly additionalProperties?: false };

const lateUnitFields = {
  late_ms: Type.Optional(
    Type.Integer({ ...lateMsRange, description: 'How long to skip late units' }),
  ),
  probe: Type.Optional(Type.Boolean({ description: 'Whether late units may be probed' })),
};

const lineFields = (units: ObjectOptions) => ({
  gap_ms: Type.Optional(
    Type.Integer({ ...gapMsRange, description: 'Maximum pause within a frame' }),
  ),
  ...lateUnitFields,
  units: Type.Optional(
    Type.Record(Type.String(), Type.Object(lateUnitFields, units), {
      description: 'Settings of single units, by unit ID',
    }),
  ),
});

export const lineFieldNames = Object.keys(lineFields({}));

/** Line fields apply to serial framing only. Default: Modbus TCP. */
export const tcpFields = (units: ObjectOptions = {}) => ({
  host: Type.String({ minLength: 1 }),
  port: Type.Integer(tcpPortRange),
  framing: Type.Optional(
    Type.Enum([...tcpFramings], {
      description: 'rtu: serial frames over TCP, for simple converters',
    }),
  ),
  ...lineFields(units),
});

export const serialSettingFields = {
  baud_rate: Type.Integer(baudRateRange),
  data_bits: Type.Integer(dataBitsRange),
  parity: Type.Enum([...parities]),
  stop_bits: Type.Integer(stopBitsRange),
};

export const serialFields = (units: ObjectOptions = {}) => ({
  port: Type.String({ minLength: 1 }),
  framing: Type.Enum([...serialFramings]),
  ...serialSettingFields,
  ...lineFields(units),
});

export const TcpNetwork = Type.Object(
  { tcp: Type.Object(tcpFields()) },
  { description: 'Modbus over TCP' },
);

export const SerialNetwork = Type.Object(
  { serial: Type.Object(serialFields()) },
  { description: 'Modbus on a serial line' },
);

type TcpNetwork = RecordOf<typeof TcpNetwork>;
type SerialNetwork = RecordOf<typeof SerialNetwork>;

export type ModbusNetwork = TcpNetwork | SerialNetwork;

export type LineSettings = Pick<TcpNetwork['tcp'], 'gap_ms' | 'late_ms' | 'probe' | 'units'>;
