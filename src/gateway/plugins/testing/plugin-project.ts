import type { LooseProject } from '../../project/testing/coolant-project.ts';

const message = { endpoint: 'bus' };
const received = { ...message, direction: 'rx', stale_after_ms: 0 };
const sent = { ...message, direction: 'tx' };
const u8 = { kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' };

/**
 * Every example plugin at work on one bus:
 *
 *     0x100  temperature ──low_pass──► smooth        0x200  smooth, every 100 ms
 *     0x101  dial, nibbles swapped                   0x201  knob, nibbles swapped, on change
 *     0x102  speed, checked by rolling_xor           0x202  gear, protected by rolling_xor, on change
 *     0x103  request ──responder──► requests         0x203  answers
 */
export const pluginProject = (): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  id: 'plugged',
  endpoints: [{ id: 'bus', kind: 'can', network: 'powertrain' }],
  signals: [
    { id: 'temperature', type: 'float64', producer: 'input' },
    { id: 'smooth', type: 'float64', producer: 'derived' },
    { id: 'dial', type: 'uint64', producer: 'input' },
    { id: 'knob', type: 'uint64', producer: 'software', initial: '0' },
    { id: 'speed', type: 'uint64', producer: 'input' },
    { id: 'gear', type: 'uint64', producer: 'software', initial: '1' },
    { id: 'service', type: 'uint64', producer: 'input' },
    { id: 'parameter', type: 'uint64', producer: 'input' },
    { id: 'requests', type: 'uint64', producer: 'derived' },
  ],
  codecs: [
    { id: 'u8', ...u8 },
    { id: 'swapped', kind: 'native', plugin: 'swap', bit_length: 8 },
    { id: 'guarded', kind: 'native', plugin: 'guard' },
  ],
  messages: [
    { ...received, id: 'Temperature', can_id: 0x100, length: 1 },
    { ...received, id: 'Dial', can_id: 0x101, length: 1 },
    { ...received, id: 'Speed', can_id: 0x102, length: 2 },
    { ...received, id: 'Request', can_id: 0x103, length: 2 },
    { ...sent, id: 'Smooth', can_id: 0x200, length: 1, period_ms: 100 },
    { ...sent, id: 'Knob', can_id: 0x201, length: 1 },
    { ...sent, id: 'Gear', can_id: 0x202, length: 2 },
    { ...sent, id: 'Answer', can_id: 0x203, length: 3 },
  ],
  bindings: [
    ['temperature', 'rx', 'Temperature', 'u8', 0],
    ['dial', 'rx', 'Dial', 'swapped', 0],
    ['speed', 'rx', 'Speed', 'u8', 0],
    ['service', 'rx', 'Request', 'u8', 0],
    ['parameter', 'rx', 'Request', 'u8', 8],
    ['smooth', 'tx', 'Smooth', 'u8', 0],
    ['knob', 'tx', 'Knob', 'swapped', 0],
    ['gear', 'tx', 'Gear', 'u8', 0],
  ].map(([signal, direction, carrier, codec, start_bit]) => {
    return { id: `${signal}.${direction}`, signal, direction, message: carrier, codec, start_bit };
  }),
  mappings: [
    {
      id: 'smooth',
      inputs: ['temperature'],
      outputs: ['smooth'],
      transform: { kind: 'native', plugin: 'filter' },
    },
  ],
  tx_tasks: [
    { id: 'Smooth', message: 'Smooth' },
    { id: 'Knob', message: 'Knob', policy: 'on_change' },
    { id: 'Gear', message: 'Gear', policy: 'on_change' },
    { id: 'Answer', message: 'Answer', mode: 'request' },
  ],
  e2e: [
    { id: 'check', message: 'Speed', direction: 'check', codec: 'guarded' },
    { id: 'protect', message: 'Gear', direction: 'protect', codec: 'guarded' },
  ],
  plugins: [
    {
      id: 'filter',
      kind: 'transformation',
      library: 'plugins/low_pass.so',
      entry: 'low_pass',
      context: { alpha: 0.5 },
    },
    { id: 'swap', kind: 'codec', library: 'plugins/nibble_swap.so', entry: 'nibble_swap' },
    {
      id: 'guard',
      kind: 'e2e',
      library: 'plugins/rolling_xor.so',
      entry: 'rolling_xor',
      context: { key: 90 },
    },
    {
      id: 'server',
      kind: 'processor',
      library: 'plugins/responder.so',
      entry: 'responder',
      inputs: ['service', 'parameter'],
      outputs: ['requests'],
      send_tasks: ['Answer'],
    },
  ],
});

/** The plugin with faults, which a signal selects. Its channel exists but is not needed. */
export const faultyProject = (library: string, plugin: object = {}): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  endpoints: [{ id: 'bus', kind: 'can', network: 'in' }],
  signals: [
    { id: 'fault', type: 'uint64', producer: 'software', initial: '0' },
    { id: 'result', type: 'uint64', producer: 'derived' },
  ],
  mappings: [
    {
      id: 'map',
      inputs: ['fault'],
      outputs: ['result'],
      transform: { kind: 'native', plugin: 'faulty' },
    },
  ],
  plugins: [
    {
      id: 'faulty',
      kind: 'transformation',
      library: `plugins/${library}`,
      entry: 'faulty',
      ...plugin,
    },
  ],
});
