import { type Rows, together } from '../../../src/gateway/engine/testing/relay-project.ts';
import type { LooseProject } from '../../../src/gateway/project/testing/coolant-project.ts';

const u16 = { id: 'u16', kind: 'linear', raw: 'unsigned', bit_length: 16 };

/** A client of unit 1 on the network `line`: polls `level` and writes `speed` when it changes. */
export const pump: Rows = {
  endpoints: [
    // A unit that responds is in time on a machine of any speed.
    { id: 'pump', kind: 'modbus', role: 'client', network: 'line', node: 1, timeout_ms: 60_000 },
  ],
  signals: [
    { id: 'level', type: 'uint64', producer: 'input' },
    { id: 'speed', type: 'uint64', producer: 'software', initial: '0' },
  ],
  codecs: [u16],
  modbus_resources: [
    {
      id: 'p.level',
      endpoint: 'pump',
      table: 'input',
      address: 5,
      access: 'poll',
      poll_ms: 20,
      stale_after_ms: 0,
    },
    { id: 'w.speed', endpoint: 'pump', table: 'holding', address: 1, access: 'write' },
  ],
  bindings: [
    { id: 'level.rx', signal: 'level', direction: 'rx', resource: 'p.level', codec: 'u16' },
    { id: 'speed.tx', signal: 'speed', direction: 'tx', resource: 'w.speed', codec: 'u16' },
  ],
  tx_tasks: [{ id: 'Drive', resources: ['w.speed'], policy: 'on_change' }],
};

/** Unit 1 on the network `panel`: serves `shown`, and lets clients write `setpoint`. */
export const panel: Rows = {
  endpoints: [{ id: 'panel', kind: 'modbus', role: 'server', network: 'panel', node: 1 }],
  signals: [
    { id: 'shown', type: 'uint64', producer: 'software', initial: '7' },
    { id: 'setpoint', type: 'uint64', producer: 'input', initial: '3' },
  ],
  codecs: [u16],
  modbus_resources: [
    { id: 's.shown', endpoint: 'panel', table: 'input', address: 0, access: 'serve' },
    { id: 'e.setpoint', endpoint: 'panel', table: 'holding', address: 10, access: 'external' },
  ],
  bindings: [
    { id: 'shown.tx', signal: 'shown', direction: 'tx', resource: 's.shown', codec: 'u16' },
    {
      id: 'setpoint.rx',
      signal: 'setpoint',
      direction: 'rx',
      resource: 'e.setpoint',
      codec: 'u16',
    },
  ],
};

/** A project of rows; those with an existing id change that row. */
export const modbusProject = (...rows: readonly Rows[]): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  id: 'plant',
  ...together(...rows),
});
