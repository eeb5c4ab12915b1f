import type { Dashboard } from '../bench/dashboard.ts';
import { demoDatabase, demoSenders } from './demo-names.ts';
import { canFrames } from './vehicle-frames.ts';

/** Where a message of the vehicle is heard. */
const heard = (message: string) => {
  const frame = canFrames.find(({ name }) => name === message);
  const { heardOn } = demoSenders[frame?.bus === 'powertrain' ? 'powertrain' : 'body'];
  return { channel: heardOn, database: demoDatabase, message };
};

/** What the console shows first of the demonstration: the car as it drives. */
export const demoDashboard: Dashboard = {
  title: 'A car is driving',
  about:
    'A simulated car sends on two CAN buses and a LIN bus of a virtual bench. Everything here is decoded live from its frames, and the bench takes yours as well.',
  links: [
    { title: 'See its frames', page: 'trace?view=by-id' },
    { title: 'Plot other signals', page: 'signals' },
    { title: 'Send a frame', page: 'send' },
    { title: 'Break a checksum in the gateway', page: 'faults' },
    { title: 'Read it over Modbus', page: 'modbus' },
  ],
  tiles: [
    { title: 'Speed', ...heard('Transmission'), signals: ['VehicleSpeed'] },
    { title: 'Engine', ...heard('Engine'), signals: ['EngineSpeed'] },
    { title: 'Gear', ...heard('Transmission'), signals: ['Gear'] },
    {
      title: 'Doors',
      ...heard('DoorsLights'),
      signals: ['DriverDoor', 'PassengerDoor', 'RearLeftDoor', 'RearRightDoor'],
    },
    { title: 'Battery', ...heard('Battery'), signals: ['BatteryVoltage'] },
  ],
  plot: [
    { ...heard('Transmission'), signal: 'VehicleSpeed' },
    { ...heard('Engine'), signal: 'EngineSpeed' },
    { ...heard('Brake'), signal: 'BrakePressure' },
    { ...heard('Transmission'), signal: 'Gear' },
  ],
};
