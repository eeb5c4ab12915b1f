import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LooseProject } from '../../../src/gateway/project/testing/coolant-project.ts';
import type { ConsolePage } from './console-page.ts';

const header = { format: 'gwproj', schema_version: 1 };

const raw = (bits: number, order: object, more: object = {}) => ({
  kind: 'linear',
  raw: 'unsigned',
  bit_length: bits,
  ...order,
  ...more,
});

const intel = { byte_order: 'intel' };
const words = { word_order: 'ABCD' };

/** Engine speed from CAN to Modbus, and a settable pump command to both, with a fault rule. */
export const pumpProject = (): LooseProject => ({
  ...header,
  id: 'pump',
  endpoints: [
    { id: 'car', kind: 'can', network: 'car' },
    { id: 'plc', kind: 'modbus', role: 'client', network: 'plc', node: 1, timeout_ms: 200 },
  ],
  signals: [
    { id: 'speed', type: 'float64', producer: 'input', unit: 'rpm' },
    { id: 'half_speed', type: 'float64', producer: 'derived', unit: 'rpm' },
    { id: 'pump', type: 'uint64', producer: 'software', initial: '0', unit: '%' },
    { id: 'enable', type: 'bool', producer: 'software', initial: '0' },
    {
      id: 'mode',
      type: 'enum',
      producer: 'software',
      initial: '0',
      labels: [
        { value: '0', label: 'off' },
        { value: '2', label: 'boost' },
      ],
    },
  ],
  codecs: [
    { id: 'rpm', ...raw(16, intel, { factor: 0.25 }) },
    { id: 'percent', ...raw(8, intel, { raw_max: '100' }) },
    { id: 'bit', ...raw(1, intel) },
    { id: 'four', ...raw(4, intel) },
    { id: 'word', ...raw(16, words) },
  ],
  messages: [
    {
      id: 'Engine',
      endpoint: 'car',
      direction: 'rx',
      can_id: 256,
      length: 8,
      stale_after_ms: 0,
    },
    {
      id: 'PumpCommand',
      endpoint: 'car',
      direction: 'tx',
      can_id: 512,
      length: 2,
      period_ms: 20,
    },
  ],
  modbus_resources: [
    { id: 'reg', endpoint: 'plc', table: 'holding', address: 10, count: 1, access: 'write' },
  ],
  bindings: [
    {
      id: 'speed.rx',
      signal: 'speed',
      direction: 'rx',
      message: 'Engine',
      codec: 'rpm',
      start_bit: 0,
    },
    {
      id: 'pump.tx',
      signal: 'pump',
      direction: 'tx',
      message: 'PumpCommand',
      codec: 'percent',
      start_bit: 0,
    },
    {
      id: 'enable.tx',
      signal: 'enable',
      direction: 'tx',
      message: 'PumpCommand',
      codec: 'bit',
      start_bit: 8,
    },
    {
      id: 'mode.tx',
      signal: 'mode',
      direction: 'tx',
      message: 'PumpCommand',
      codec: 'four',
      start_bit: 12,
    },
    { id: 'pump.reg', signal: 'pump', direction: 'tx', resource: 'reg', codec: 'word' },
  ],
  mappings: [
    {
      id: 'half',
      inputs: ['speed'],
      outputs: ['half_speed'],
      transform: { kind: 'linear', k: 0.5, b: 0 },
    },
  ],
  tx_tasks: [
    { id: 'PumpCommand', message: 'PumpCommand' },
    { id: 'register', resources: ['reg'], period_ms: 50 },
  ],
  fault_rules: [
    {
      id: 'spoil_pump',
      task: 'PumpCommand',
      kind: 'set_byte',
      byte_offset: 0,
      mask: 99,
    },
  ],
});

/** Many signals that all change twenty times a second. */
/** A received message with a counter and a checksum of its two bytes. */
export const checkedProject = (): LooseProject => ({
  ...header,
  id: 'cabin',
  endpoints: [{ id: 'car', kind: 'can', network: 'car' }],
  signals: [{ id: 'count', type: 'uint64', producer: 'input' }],
  codecs: [
    { id: 'four', ...raw(4, intel) },
    {
      ...{ id: 'guard', kind: 'e2e', profile: 'free' },
      counter: { start_bit: 0, bit_length: 4, ...intel, max: '14' },
      checksum: { start_bit: 8, bit_length: 8, ...intel, algorithm: 'xor8' },
    },
  ],
  messages: [
    {
      ...{ id: 'Wheels', endpoint: 'car', direction: 'rx', can_id: 0x120, length: 2 },
      stale_after_ms: 0,
    },
  ],
  bindings: [
    {
      ...{ id: 'count.rx', signal: 'count', direction: 'rx', message: 'Wheels' },
      ...{ codec: 'four', start_bit: 0 },
    },
  ],
  e2e: [{ id: 'check', message: 'Wheels', direction: 'check', codec: 'guard' }],
});

export const waveProject = (count: number): LooseProject => ({
  ...header,
  id: 'waves',
  signals: Array.from({ length: count }, (_, at) => ({
    id: `wave.${at}`,
    type: 'float64',
    producer: 'waveform',
    waveform: {
      kind: 'sine',
      amplitude: 100,
      offset: 0,
      period_ms: 1000 + at,
      sample_ms: 50,
    },
  })),
});

/** Writes a project to the daemon's project directory. */
export const writeProject = ({ bench }: ConsolePage, file: string, project: LooseProject): void =>
  writeFileSync(join(bench.project, file), JSON.stringify(project));

/** Adds the networks of the projects; their Modbus unit is at a port of this machine. */
export const writeNetworks = ({ bench }: ConsolePage, modbusPort: number): void => {
  const networks = {
    car: 'SIM00001/1',
    plc: { tcp: { host: '127.0.0.1', port: modbusPort } },
  };
  writeFileSync(join(bench.project, 'busbar.bench.json'), JSON.stringify({ networks }));
};

export const runDegraded = async (console: ConsolePage): Promise<void> => {
  writeNetworks(console, 1);
  writeProject(console, 'pump.gwproj', pumpProject());
  await console.bench.json('gateway', 'load', '--file=pump.gwproj');
  await console.bench.json('gateway', 'start', '--instance=pump');
};
