import { expect, it } from 'vitest';
import { frame, outcome, rounds, run, set, snapshot, start } from './small-scripts.ts';

/**
 * Coolant is received in Celsius and sent in Fahrenheit; the pump command is sent every 20 ms.
 */
const project = {
  format: 'gwproj',
  schema_version: 1,
  id: 'coolant',
  endpoints: [{ id: 'can', kind: 'can', network: 'powertrain' }],
  signals: [
    { id: 'coolant', type: 'float64', producer: 'input', initial: '20', unit: 'degC' },
    { id: 'coolant_f', type: 'float64', producer: 'derived', unit: 'degF' },
    { id: 'pump', type: 'uint64', producer: 'software', initial: '0' },
  ],
  codecs: [
    {
      id: 'temp8',
      kind: 'linear',
      raw: 'unsigned',
      bit_length: 8,
      byte_order: 'intel',
      offset: -40,
      special: [{ raw: '255', state: 'not_available' }],
      invalid_raw: '255',
    },
    {
      id: 'f_x10',
      kind: 'linear',
      raw: 'signed',
      bit_length: 16,
      byte_order: 'motorola',
      factor: 0.1,
      invalid_raw: '-32768',
    },
    {
      id: 'u8',
      kind: 'linear',
      raw: 'unsigned',
      bit_length: 8,
      byte_order: 'intel',
      raw_max: '100',
    },
  ],
  messages: [
    { id: 'Engine', endpoint: 'can', direction: 'rx', can_id: 256, length: 8, stale_after_ms: 300 },
    { id: 'PumpCommand', endpoint: 'can', direction: 'tx', can_id: 512, length: 4, period_ms: 20 },
  ],
  bindings: [
    {
      id: 'coolant.rx',
      signal: 'coolant',
      direction: 'rx',
      message: 'Engine',
      codec: 'temp8',
      start_bit: 24,
    },
    {
      id: 'coolant.tx',
      signal: 'coolant_f',
      direction: 'tx',
      message: 'PumpCommand',
      codec: 'f_x10',
      start_bit: 23,
    },
    {
      id: 'pump.tx',
      signal: 'pump',
      direction: 'tx',
      message: 'PumpCommand',
      codec: 'u8',
      start_bit: 0,
    },
  ],
  mappings: [
    {
      id: 'to_fahrenheit',
      inputs: ['coolant'],
      outputs: ['coolant_f'],
      transform: { kind: 'linear', k: 1.8, b: 32 },
    },
  ],
  tx_tasks: [{ id: 'task', message: 'PumpCommand' }],
};

it('the worked project does on CAN what its page says', () => {
  const result = run(project, [
    ...[start(), snapshot(0), outcome(1)],
    ...[
      frame(5, '000000 82 00000000'),
      set(6, 'pump', '55'),
      rounds(20),
      snapshot(20),
      outcome(21),
    ],
    ...[frame(25, '000000 FF 00000000'), set(26, 'pump', '101'), rounds(40), snapshot(40)],
  ]);
  expect(result.frames).toEqual(['0: 00008000', '20: 37000794', '40: 37008000']);
  expect([0, 1, 2].map((place) => result.state('coolant', place))).toEqual([
    '20 initial',
    '90 good',
    '90 not_available',
  ]);
  expect([0, 1, 2].map((place) => result.state('coolant_f', place))).toEqual([
    'null input_invalid',
    '194 good',
    '194 input_invalid',
  ]);
  expect(result.signal('coolant_f', 1).bindings).toEqual([
    { id: 'coolant.tx', raw: '1940', valid: true, error: null },
  ]);
  expect(result.signal('coolant_f', 2).bindings).toEqual([
    { id: 'coolant.tx', raw: '-32768', valid: false, error: null },
  ]);
  expect(result.signal('pump', 2).bindings).toEqual([
    { id: 'pump.tx', raw: '55', valid: false, error: 'out_of_range' },
  ]);
});
