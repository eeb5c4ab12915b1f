import { demoModbus, demoNetworks } from './demo-bench.ts';
import { demoProjectId } from './demo-names.ts';
import {
  type Row,
  registerBindings,
  registerCodecs,
  registerEndpoint,
  registerResources,
  wiperSetpoint,
} from './demo-registers.ts';
import type { FrameLayout, SignalLayout } from './frame-layout.ts';
import {
  type OutputCodec,
  type OutputFrame,
  outputCodecs,
  outputFrames,
  wheels,
  wiperRequests,
} from './gateway-frames.ts';
import { canFrames } from './vehicle-frames.ts';
import { wiperRequest } from './wiper-request.ts';

const taken: Readonly<Record<string, readonly string[]>> = {
  Engine: ['EngineSpeed', 'CoolantTemperature'],
  Transmission: ['Gear', 'VehicleSpeed'],
  Brake: ['BrakePressure', 'WheelSpeedFL', 'WheelSpeedFR', 'WheelSpeedRL', 'WheelSpeedRR'],
  DoorsLights: ['DriverDoor', 'PassengerDoor', 'RearLeftDoor', 'RearRightDoor', 'Wiper'],
};

/** A busy machine may miss a few periods. */
const periodsToStale = 10;

interface TakenSignal {
  readonly frame: FrameLayout;
  readonly signal: SignalLayout;
}

const takenFrames = canFrames.filter(({ name }) => name in taken);

const takenSignals: readonly TakenSignal[] = takenFrames.flatMap((frame) =>
  frame.signals
    .filter(({ name }) => taken[frame.name]?.includes(name))
    .map((signal) => ({ frame, signal })),
);

const typeOf = ({ bits, factor }: SignalLayout): string => {
  if (bits === 1) return 'bool';
  return Number.isInteger(factor) ? 'int64' : 'float64';
};

const inputSignal = ({ signal }: TakenSignal): Row => ({
  id: signal.name,
  type: typeOf(signal),
  producer: 'input',
  ...(signal.unit !== '' && { unit: signal.unit }),
});

const inputCodec = ({ signal }: TakenSignal): Row => ({
  id: `${signal.name}.in`,
  kind: 'linear',
  ...(signal.bits === 1
    ? { raw: 'bool' }
    : { raw: signal.signed ? 'signed' : 'unsigned', bit_length: signal.bits }),
  byte_order: 'intel',
  ...(signal.factor !== 1 && { factor: signal.factor }),
  ...(signal.offset !== 0 && { offset: signal.offset }),
});

const inputMessage = ({ name, bus, id, fd, length, periodUs }: FrameLayout): Row => ({
  id: name,
  endpoint: bus,
  direction: 'rx',
  can_id: id,
  ...(fd && { fd, brs: true }),
  length,
  period_ms: periodUs / 1000,
  stale_after_ms: (periodsToStale * periodUs) / 1000,
});

const inputBinding = ({ frame, signal: { name, startBit } }: TakenSignal): Row => ({
  id: `${name}.rx`,
  signal: name,
  direction: 'rx',
  message: frame.name,
  codec: `${name}.in`,
  start_bit: startBit,
});

const derived = (id: string, type: string, unit?: string): Row => ({
  id,
  type,
  producer: 'derived',
  ...(unit && { unit }),
});

const outputCodec = ([id, { bits, factor, offset, rawMax }]: [string, OutputCodec]): Row => ({
  id,
  kind: 'linear',
  ...(bits === 1 ? { raw: 'bool' } : { raw: 'unsigned', bit_length: bits }),
  byte_order: 'intel',
  ...(factor && { factor }),
  ...(offset && { offset }),
  ...(rawMax && { raw_max: String(rawMax) }),
  ...(bits > 1 && { invalid_raw: String(2 ** bits - 1) }),
});

const outputMessage = ({ name, id, length, periodMs }: OutputFrame): Row => ({
  id: name,
  endpoint: 'body',
  direction: 'tx',
  can_id: id,
  length,
  ...(periodMs && { period_ms: periodMs }),
});

const outputBindings = ({ name: message, signals }: OutputFrame): readonly Row[] =>
  signals.map(({ name, codec, startBit }) => ({
    id: `${name}.tx`,
    signal: name,
    direction: 'tx',
    message,
    codec,
    start_bit: startBit,
  }));

const protection = (id: string, rules: Row = {}): Row => ({
  id,
  kind: 'e2e',
  profile: '1A',
  data_id: wheels.id,
  ...rules,
});

const wheelSpeeds = taken.Brake?.filter((name) => name.startsWith('WheelSpeed')) ?? [];

const mapping = (inputs: readonly string[], output: string, transform: Row): Row => ({
  id: `to_${output}`,
  inputs,
  outputs: [output],
  transform,
});

const math = (name: string): Row => ({ kind: 'math', function: name });

const wiperLabels = Object.entries(wiperRequests).map(([label, value]) => ({
  value: String(value),
  label,
}));

const project = (): Row => ({
  format: 'gwproj',
  schema_version: 1,
  id: demoProjectId,
  name: 'Gateway of the demo vehicle',
  description:
    'Receives powertrain signals and sends the body network the signals that a dashboard, a brake light and a parking assistant need. Receives the frames of the parking assistant. Serves signals to Modbus clients and lets them control the wipers.',
  endpoints: [
    { id: 'powertrain', kind: 'can', network: demoNetworks.powertrain.name },
    { id: 'body', kind: 'can', network: demoNetworks.body.name },
    { id: 'parking', kind: 'can', network: demoNetworks.parking.name },
    registerEndpoint(demoModbus.name, demoModbus.unit),
  ],
  signals: [
    ...takenSignals.map(inputSignal),
    {
      id: 'SpeedLimit',
      type: 'float64',
      producer: 'software',
      initial: '120',
      unit: 'km/h',
      comment: 'Set this to change when the dashboard warns',
    },
    {
      id: wiperSetpoint,
      type: 'int64',
      producer: 'input',
      initial: String(wiperRequest.automatic),
      labels: wiperLabels,
      comment: 'Set by Modbus clients; 0 leaves the wipers to the rain sensor',
    },
    {
      id: 'ParkingSpeed',
      type: 'float64',
      producer: 'input',
      unit: 'km/h',
      comment:
        'WheelSpeed as a parking assistant receives it; frames with a wrong checksum are rejected',
    },
    derived('DashboardSpeed', 'float64', 'mph'),
    derived('DashboardCoolant', 'float64', '°F'),
    derived('AboveLimit', 'float64', 'km/h'),
    derived('SpeedWarning', 'bool'),
    derived('Braking', 'bool'),
    derived('WheelSpeed', 'float64', 'km/h'),
    derived('FastestWheel', 'float64', 'km/h'),
    derived('SlowestWheel', 'float64', 'km/h'),
    derived('WheelSpread', 'float64', 'km/h'),
  ],
  codecs: [
    ...takenSignals.map(inputCodec),
    ...Object.entries(outputCodecs).map(outputCodec),
    ...registerCodecs,
    protection('protection'),
    // One bad frame can be a bus error; several are a sender error.
    protection('check', { max_delta_counter: 3, window: { size: 10, min_ok: 5, max_error: 1 } }),
  ],
  messages: [
    ...takenFrames.map(inputMessage),
    ...outputFrames.map(outputMessage),
    {
      id: 'WheelsReceived',
      endpoint: 'parking',
      direction: 'rx',
      can_id: wheels.id,
      length: wheels.length,
      period_ms: wheels.periodMs,
      stale_after_ms: periodsToStale * wheels.periodMs,
    },
  ],
  modbus_resources: registerResources,
  bindings: [
    ...takenSignals.map(inputBinding),
    ...outputFrames.flatMap(outputBindings),
    {
      id: 'ParkingSpeed.rx',
      signal: 'ParkingSpeed',
      direction: 'rx',
      message: 'WheelsReceived',
      codec: 'hundredths',
      start_bit: wheels.signals[0].startBit,
    },
    ...registerBindings,
  ],
  mappings: [
    mapping(['VehicleSpeed'], 'DashboardSpeed', { kind: 'linear', k: 0.621371 }),
    mapping(['CoolantTemperature'], 'DashboardCoolant', { kind: 'linear', k: 1.8, b: 32 }),
    mapping(['VehicleSpeed', 'SpeedLimit'], 'AboveLimit', math('sub')),
    mapping(['AboveLimit'], 'SpeedWarning', { kind: 'threshold', threshold: 0, hysteresis: 2 }),
    mapping(['BrakePressure'], 'Braking', { kind: 'threshold', threshold: 5, hysteresis: 2 }),
    mapping(wheelSpeeds, 'WheelSpeed', math('average')),
    mapping(wheelSpeeds, 'FastestWheel', math('max')),
    mapping(wheelSpeeds, 'SlowestWheel', math('min')),
    mapping(['FastestWheel', 'SlowestWheel'], 'WheelSpread', math('sub')),
  ],
  tx_tasks: [
    { id: 'Dashboard', message: 'Dashboard' },
    { id: 'BrakeLamp', message: 'BrakeLamp', policy: 'on_change', min_interval_ms: 20 },
    { id: 'Wheels', message: 'Wheels' },
    { id: wiperRequest.name, message: wiperRequest.name },
  ],
  e2e: [
    { id: 'protect_wheels', message: 'Wheels', direction: 'protect', codec: 'protection' },
    { id: 'check_wheels', message: 'WheelsReceived', direction: 'check', codec: 'check' },
  ],
  fault_rules: [
    {
      id: 'corrupt_wheels',
      task: 'Wheels',
      kind: 'corrupt_checksum',
      every: 4,
      value: '255',
      comment:
        'Corrupts every fourth wheel-speed frame; ParkingSpeed, which is received from it, becomes e2e_error',
    },
  ],
});

export const demoProject = (): string => `${JSON.stringify(project(), null, 2)}\n`;
