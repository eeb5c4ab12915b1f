/** A project as a JSON document, for tests that change one part of it. */
// biome-ignore lint/suspicious/noExplicitAny: tests put in what no type allows.
export type LooseProject = Record<string, any>;

/** A complete project: a coolant temperature for a PLC, and a pump command from it. */
export const coolantProject = (): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  id: 'coolant',
  endpoints: [
    {
      id: 'powertrain',
      kind: 'can',
      network: 'powertrain',
    },
    {
      id: 'plc',
      kind: 'modbus',
      role: 'server',
      network: 'plc',
      node: 1,
    },
  ],
  signals: [
    {
      id: 'coolant',
      type: 'float64',
      producer: 'input',
      initial: '20',
      unit: 'degC',
    },
    {
      id: 'coolant_f',
      type: 'float64',
      producer: 'derived',
      unit: 'degF',
    },
    {
      id: 'pump',
      type: 'uint64',
      producer: 'input',
      initial: '0',
    },
  ],
  codecs: [
    {
      id: 'temp8',
      kind: 'linear',
      raw: 'unsigned',
      bit_length: 8,
      byte_order: 'intel',
      offset: -40,
      special: [
        {
          raw: '255',
          state: 'not_available',
        },
      ],
      invalid_raw: '255',
    },
    {
      id: 'f_x10',
      kind: 'linear',
      raw: 'signed',
      bit_length: 16,
      word_order: 'ABCD',
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
    {
      id: 'u16',
      kind: 'linear',
      raw: 'unsigned',
      bit_length: 16,
      word_order: 'ABCD',
      raw_max: '100',
    },
  ],
  messages: [
    {
      id: 'Engine',
      endpoint: 'powertrain',
      direction: 'rx',
      can_id: 256,
      length: 8,
      stale_after_ms: 300,
    },
    {
      id: 'PumpCommand',
      endpoint: 'powertrain',
      direction: 'tx',
      can_id: 512,
      length: 2,
      period_ms: 20,
    },
  ],
  modbus_resources: [
    {
      id: 'reg_coolant',
      endpoint: 'plc',
      table: 'input',
      address: 0,
      access: 'serve',
    },
    {
      id: 'reg_pump',
      endpoint: 'plc',
      table: 'holding',
      address: 10,
      access: 'external',
    },
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
      id: 'coolant.reg',
      signal: 'coolant_f',
      direction: 'tx',
      resource: 'reg_coolant',
      codec: 'f_x10',
    },
    {
      id: 'pump.reg',
      signal: 'pump',
      direction: 'rx',
      resource: 'reg_pump',
      codec: 'u16',
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
      transform: {
        kind: 'linear',
        k: 1.8,
        b: 32,
      },
    },
  ],
  tx_tasks: [
    {
      id: 'PumpCommand',
      message: 'PumpCommand',
    },
  ],
});

/** The same project with a signal that callers can set. */
export const settableProject = (): LooseProject => {
  const project = coolantProject();
  project.signals[2].producer = 'software';
  project.modbus_resources.pop();
  project.bindings.splice(2, 1);
  return project;
};
