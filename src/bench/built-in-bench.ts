import type { Bench } from './bench-record.ts';

export const builtInBench: Bench = {
  source: 'built-in',
  path: null,
  project_id: 'virtual-bench',
  devices: [{ driver: 'virtual', address: 'SIM00001', ports: {} }],
  networks: {},
  databases: {},
  ecus: {},
  recorders: {},
  firmware_index: null,
  dashboard: null,
};
