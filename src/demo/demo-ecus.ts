import type { EcuEntry } from '../bench/ecu-entry.ts';
import type { EcuModel } from '../diagnostics/ecu-model.ts';
import type { LinearDidCodec } from '../diagnostics/linear-did.ts';
import { demoProjectId, demoSenders, doorNad } from './demo-names.ts';

const linear = (
  bits: number,
  factor = 1,
  offset = 0,
): Required<Pick<LinearDidCodec, 'kind' | 'raw' | 'bit_length' | 'factor' | 'offset'>> => ({
  kind: 'linear',
  raw: 'unsigned',
  bit_length: bits,
  factor,
  offset,
});

interface DemoDid {
  readonly did: string;
  readonly name: string;
  readonly length: number;
  readonly codec: 'ascii' | ReturnType<typeof linear>;
  readonly value: Readonly<Record<string, unknown>>;
}

const text = (did: string, name: string, value: string, more: object = {}): DemoDid => ({
  did,
  name,
  length: value.length,
  codec: 'ascii',
  value: { text: value, ...more },
});

/** A value of the gateway, which receives the frames of the car. */
const live = (
  did: string,
  name: string,
  signal: string,
  codec: ReturnType<typeof linear>,
): DemoDid => ({
  did,
  name,
  length: Math.ceil(codec.bit_length / 8),
  codec,
  value: { signal: `${demoProjectId}/${signal}`, codec },
});

const engineDids = [
  text('F190', 'vin', 'WBABUSBAR00000001', { writable: true, security: 1 }),
  text('F18C', 'serial', 'ENG-0001'),
  text('F195', 'software', '1.4.2'),
  // Numbered as the parameters 05, 0C and 0D of OBD.
  live('F405', 'coolant_temperature', 'CoolantTemperature', linear(8, 1, -40)),
  live('F40C', 'engine_speed', 'EngineSpeed', linear(16, 0.25)),
  live('F40D', 'vehicle_speed', 'VehicleSpeed', linear(8)),
];

const doorDids = [
  text('F18C', 'serial', 'DOOR-0001'),
  text('F195', 'software', '2.0.1'),
  live('0100', 'driver_door', 'DriverDoor', linear(8)),
  live('0101', 'passenger_door', 'PassengerDoor', linear(8)),
];

const definitions = (dids: readonly DemoDid[]) =>
  Object.fromEntries(
    dids.map(({ did, name, length, codec }) => [did, { name, length, codec }] as const),
  );

const values = (dids: readonly DemoDid[]): NonNullable<EcuModel['dids']> =>
  Object.fromEntries(dids.map(({ did, value }) => [did, value])) as NonNullable<EcuModel['dids']>;

/** ECUs of the bench file: testers use the channels that the car does not. */
export const demoEcus = {
  engine: {
    channel: demoSenders.powertrain.heardOn,
    request_id: 0x7e0,
    response_id: 0x7e8,
    functional_id: 0x7df,
    dids: definitions(engineDids),
  },
  door: { channel: 'door-master', nad: doorNad, dids: definitions(doorDids) },
} as const satisfies Readonly<Record<string, EcuEntry>>;

const times = { p2_ms: 50, p2_star_ms: 5000 };
const sessions = { '1': times, '2': times, '3': times };

const engine: EcuModel = {
  dids: values(engineDids),
  dtcs: [
    { dtc: '030100', status: 0x2f, snapshot: '01F40C0C55', extended: '05' },
    { dtc: 'C10000', status: 0x08, snapshot: '01F40C0000' },
  ],
  sessions,
  security: { '1': { seed: 'DEADBEEF', key: 'CAFEBABE' } },
  routines: {
    '0203': { duration_ms: 300, result: 'FF' },
    FF00: { duration_ms: 300, security: 1 },
    FF01: { result: '00' },
  },
  memory: { address: 0x0800_0000, size: 65_536, security: 1, sessions: [2] },
};

const door: EcuModel = {
  dids: values(doorDids),
  dtcs: [
    { dtc: '910A15', status: 0x08, snapshot: '01010000' },
    { dtc: '910A16', status: 0x28, snapshot: '01010001' },
  ],
  sessions,
  routines: { '0301': { duration_ms: 200, result: '00' } },
};

/** ECUs of the car, on the channels from which it sends. */
export const demoEcuStarts = [
  { ecu: 'engine', on: 'powertrain', entry: demoEcus.engine, model: engine },
  { ecu: 'door', on: 'door-slave', entry: demoEcus.door, model: door },
] as const;
