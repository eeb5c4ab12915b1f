// Content of the pages while they are measured.

export const waves = (count) =>
  Array.from({ length: count }, (_, at) => ({
    id: `wave.${at}`,
    type: 'float64',
    producer: 'waveform',
    waveform: { kind: 'sine', amplitude: 100, offset: 0, period_ms: 1000 + at, sample_ms: 50 },
  }));

const word = { kind: 'linear', raw: 'unsigned', bit_length: 16, byte_order: 'intel' };

/** Signals from the bus, through a mapping and back, with a fault rule that corrupts them. */
export const project = (count) => ({
  format: 'gwproj',
  schema_version: 1,
  id: 'waves',
  endpoints: [{ id: 'car', kind: 'can', network: 'car' }],
  signals: [
    { id: 'speed', type: 'float64', producer: 'input', unit: 'rpm' },
    { id: 'half', type: 'float64', producer: 'derived', unit: 'rpm' },
    ...waves(count),
  ],
  codecs: [{ id: 'word', ...word }],
  messages: [
    {
      id: 'Engine',
      endpoint: 'car',
      direction: 'rx',
      can_id: 0x100,
      length: 8,
      fd: true,
      stale_after_ms: 0,
    },
    { id: 'Half', endpoint: 'car', direction: 'tx', can_id: 0x50, length: 2, period_ms: 10 },
  ],
  bindings: [
    {
      id: 'speed.rx',
      signal: 'speed',
      direction: 'rx',
      message: 'Engine',
      codec: 'word',
      start_bit: 0,
    },
    {
      id: 'half.tx',
      signal: 'half',
      direction: 'tx',
      message: 'Half',
      codec: 'word',
      start_bit: 0,
    },
  ],
  mappings: [
    {
      id: 'halve',
      inputs: ['speed'],
      outputs: ['half'],
      transform: { kind: 'linear', k: 0.5, b: 0 },
    },
  ],
  tx_tasks: [{ id: 'Half', message: 'Half' }],
  fault_rules: [{ id: 'spoil', task: 'Half', kind: 'set_byte', byte_offset: 0, mask: 99 }],
});
