import { wiperRequest } from './wiper-request.ts';

export type Row = Readonly<Record<string, unknown>>;

const endpoint = 'plc';

export const wiperSetpoint = 'WiperSetpoint';

const inputRegisters = [
  { signal: 'VehicleSpeed', codec: 'reg.hundredths' },
  { signal: 'EngineSpeed', codec: 'reg.rpm' },
  { signal: 'CoolantTemperature', codec: 'reg.degrees' },
  { signal: 'Gear', codec: 'reg.number' },
  { signal: 'Wiper', codec: 'reg.number' },
] as const;

const discreteInputs = [
  'DriverDoor',
  'PassengerDoor',
  'RearLeftDoor',
  'RearRightDoor',
  'Braking',
  'SpeedWarning',
] as const;

const register = (id: string, raw: string, invalid: string, more: Row = {}): Row => ({
  id: `reg.${id}`,
  kind: 'linear',
  raw,
  bit_length: 16,
  ...more,
  invalid_raw: invalid,
});

const resource = (signal: string, table: string, address: number, access: string): Row => ({
  id: `plc.${signal}`,
  endpoint,
  table,
  address,
  access,
});

const binding = (signal: string, direction: 'rx' | 'tx', codec: string): Row => ({
  id: `${signal}.plc`,
  signal,
  direction,
  resource: `plc.${signal}`,
  codec,
});

/** The largest or smallest raw value means no value. */
export const registerCodecs: readonly Row[] = [
  register('hundredths', 'unsigned', '65535', { factor: 0.01 }),
  register('rpm', 'unsigned', '65535'),
  register('degrees', 'signed', '-32768'),
  register('number', 'unsigned', '65535'),
  { id: 'reg.bit', kind: 'linear', raw: 'bool' },
  {
    id: 'reg.mode',
    kind: 'linear',
    raw: 'unsigned',
    bit_length: 16,
    raw_max: String(wiperRequest.max),
  },
];

export const registerResources: readonly Row[] = [
  ...inputRegisters.map(({ signal }, address) => resource(signal, 'input', address, 'serve')),
  ...discreteInputs.map((signal, address) => resource(signal, 'discrete', address, 'serve')),
  resource(wiperSetpoint, 'holding', 0, 'external'),
];

export const registerBindings: readonly Row[] = [
  ...inputRegisters.map(({ signal, codec }) => binding(signal, 'tx', codec)),
  ...discreteInputs.map((signal) => binding(signal, 'tx', 'reg.bit')),
  binding(wiperSetpoint, 'rx', 'reg.mode'),
];

export const registerEndpoint = (network: string, node: number): Row => ({
  id: endpoint,
  kind: 'modbus',
  network,
  role: 'server',
  node,
});
