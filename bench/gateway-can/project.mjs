// Common task: two signals of one message, one through a linear mapping, to another message.
export const project = {
  format: 'gwproj',
  schema_version: 1,
  id: 'bridge',
  endpoints: [
    { id: 'a', kind: 'can', network: 'a' },
    { id: 'b', kind: 'can', network: 'b' },
  ],
  signals: [
    { id: 'speed', type: 'float64', producer: 'input', unit: 'km/h' },
    { id: 'gear', type: 'uint64', producer: 'input' },
    { id: 'speed_ms', type: 'float64', producer: 'derived', unit: 'm/s' },
  ],
  codecs: [
    {
      id: 'speed16',
      kind: 'linear',
      raw: 'unsigned',
      bit_length: 16,
      byte_order: 'intel',
      factor: 0.01,
    },
    {
      id: 'mm16',
      kind: 'linear',
      raw: 'unsigned',
      bit_length: 16,
      byte_order: 'intel',
      factor: 0.005,
    },
    { id: 'u8', kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' },
  ],
  messages: [
    { id: 'In', endpoint: 'a', direction: 'rx', can_id: 0x100, length: 8, stale_after_ms: 1000 },
    { id: 'Out', endpoint: 'b', direction: 'tx', can_id: 0x200, length: 8 },
  ],
  bindings: [
    {
      id: 'speed.rx',
      signal: 'speed',
      direction: 'rx',
      message: 'In',
      codec: 'speed16',
      start_bit: 0,
    },
    { id: 'gear.rx', signal: 'gear', direction: 'rx', message: 'In', codec: 'u8', start_bit: 16 },
    {
      id: 'speed.tx',
      signal: 'speed_ms',
      direction: 'tx',
      message: 'Out',
      codec: 'mm16',
      start_bit: 8,
    },
    { id: 'gear.tx', signal: 'gear', direction: 'tx', message: 'Out', codec: 'u8', start_bit: 0 },
  ],
  mappings: [
    {
      id: 'to_ms',
      inputs: ['speed'],
      outputs: ['speed_ms'],
      transform: { kind: 'linear', k: 0.2777777777777778 },
    },
  ],
  tx_tasks: [{ id: 'Out', message: 'Out', policy: 'on_change' }],
};

export const frameCount = 4096;
export const frameBytes = (index) => {
  const raw = (index * 37) % 20_000;
  return Uint8Array.of(raw & 255, raw >> 8, index % 7, 0, 0, 0, 0, 0);
};
