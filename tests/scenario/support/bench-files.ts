import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const benchFileName = 'busbar.bench.json';

/** Writes a bench file to a directory, which is created if missing; text is written unchanged. */
export const writeBench = (directory: string, content: unknown): string => {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, benchFileName);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

/** Names that are difficult for selectors. */
export const sampleBench = {
  project_id: 'door-module',
  devices: [
    { driver: 'virtual', address: 'SIM00001', ports: { 2: 'engine' } },
    { driver: 'virtual', address: 'GONE0001', ports: { 0: 'missing' } },
  ],
  networks: {
    powertrain: 'SIM00001/0',
    chassis: { channel: 'sim-0000-0001/1' },
    ghost: 'GONE0001/7',
    spare: null,
    plc: { tcp: { host: 'plc.example', port: 502 } },
    meters: { serial: { port: '/dev/ttyS9', framing: 'ascii' } },
  },
};
