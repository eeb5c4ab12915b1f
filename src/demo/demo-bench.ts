import type { Bench } from '../bench/bench-record.ts';
import { builtInBench } from '../bench/built-in-bench.ts';
import type { Dashboard } from '../bench/dashboard.ts';
import { loadBench } from '../bench/load-bench.ts';
import { demoEcus } from './demo-ecus.ts';
import { demoDatabase, demoSenders } from './demo-names.ts';
import { canFrames } from './vehicle-frames.ts';

const received = (message: string) => {
  const frame = canFrames.find(({ name }) => name === message);
  const { heardOn } = demoSenders[frame?.bus === 'powertrain' ? 'powertrain' : 'body'];
  return { channel: heardOn, database: demoDatabase, message };
};

const demoDashboard: Dashboard = {
  title: 'Simulated car',
  about:
    'A simulated car sends on two CAN buses and a LIN bus of a virtual bench. Everything here is decoded live from its frames. You can send frames on the same buses.',
  links: [
    { title: 'Show its frames', page: 'trace?view=by-id' },
    { title: 'Plot other signals', page: 'signals' },
    { title: 'Show the fault codes of the trailer', page: 'trace?view=pdus' },
    { title: 'Send a frame', page: 'send' },
    { title: 'Corrupt a checksum in the gateway', page: 'faults' },
    { title: 'Read it over Modbus', page: 'modbus' },
  ],
  tiles: [
    { title: 'Speed', ...received('Transmission'), signals: ['VehicleSpeed'] },
    { title: 'Engine', ...received('Engine'), signals: ['EngineSpeed'] },
    { title: 'Gear', ...received('Transmission'), signals: ['Gear'] },
    {
      title: 'Doors',
      ...received('DoorsLights'),
      signals: ['DriverDoor', 'PassengerDoor', 'RearLeftDoor', 'RearRightDoor'],
    },
    { title: 'Battery', ...received('Battery'), signals: ['BatteryVoltage'] },
  ],
  plot: [
    { ...received('Transmission'), signal: 'VehicleSpeed' },
    { ...received('Engine'), signal: 'EngineSpeed' },
    { ...received('Brake'), signal: 'BrakePressure' },
    { ...received('Transmission'), signal: 'Gear' },
  ],
};

export const demoPorts = [
  { channel: 'SIM00001/0', name: 'powertrain' },
  { channel: 'SIM00001/1', name: 'powertrain-tap' },
  { channel: 'SIM00001/2', name: 'body' },
  { channel: 'SIM00001/3', name: 'body-tap' },
  { channel: 'SIM00001/4', name: 'door-master' },
  { channel: 'SIM00001/5', name: 'door-slave' },
] as const;

export interface DemoFiles {
  readonly directory: string | null;
}

/**
 * CAN networks of the gateway project. The gateway uses the ports that the car does not. A
 * parking assistant is at the other end of the body bus.
 */
export const demoNetworks = {
  powertrain: { name: 'powertrain-bus', channel: 'SIM00001/1' },
  body: { name: 'body-bus', channel: 'SIM00001/3' },
  parking: { name: 'parking-bus', channel: 'SIM00001/2' },
} as const;

export const demoModbus = {
  name: 'vehicle-modbus',
  host: '127.0.0.1',
  port: 5020,
  unit: 1,
} as const;

export const demoBenchFile = (modbusPort: number): string => {
  const { name, host } = demoModbus;
  const networks = {
    ...Object.fromEntries(Object.values(demoNetworks).map((bus) => [bus.name, bus.channel])),
    [name]: { tcp: { host, port: modbusPort } },
  };
  const file = { networks, ecus: demoEcus, dashboard: demoDashboard };
  return `${JSON.stringify(file, null, 2)}\n`;
};

/**
 * Bench of callers without a file: the built-in bench with the demonstration's dashboard and
 * networks.
 */
export const demoBench = (directory: string | null): Bench => {
  if (directory === null) return { ...builtInBench, ecus: demoEcus, dashboard: demoDashboard };
  const { networks, ecus, dashboard } = loadBench({ project: directory, global: directory });
  return { ...builtInBench, networks, ecus, dashboard };
};

export const benchWithoutFile = (place: DemoFiles | undefined): (() => Bench) | undefined =>
  place && (() => demoBench(place.directory));
