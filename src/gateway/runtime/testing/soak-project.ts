import type { LooseProject } from '../../project/testing/coolant-project.ts';

const can = { endpoint: 'bus', length: 2 };
const u16 = { codec: 'u16' };
const u16le = { codec: 'u16le', start_bit: 0 };

/** Register 0 of these units is polled, each with its own period. */
export const polledEveryMs: ReadonlyMap<number, number> = new Map([
  [1, 250],
  [2, 400],
  [3, 1000],
]);

/** Registers written by tasks, by task. */
export const writtenBy: Readonly<Record<string, readonly [unit: number, address: number]>> = {
  setpoint: [1, 100],
  lamp: [1, 101],
  speed: [2, 100],
  count: [3, 100],
};

/** Identifiers sent by tasks, by task. */
export const sentBy: Readonly<Record<string, number>> = { alive: 0x200, level: 0x300 };

/**
 * All kinds of endpoints, each with something to pass on to another:
 *
 *     panel  setpoint of clients ─▶ unit 1, 0x200 every 100 ms
 *     bus    speed from 0x100    ─▶ unit 2, panel
 *     units  levels, polled      ─▶ panel (1), 0x300 (3)
 *     set    count, lamp         ─▶ unit 3 every 500 ms; unit 1, a bit of a word
 */
export const soakProject = (): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  id: 'soak',
  endpoints: [
    { id: 'bus', kind: 'can', network: 'powertrain' },
    ...[1, 2, 3].map((node) => ({
      ...{ id: `unit${node}`, kind: 'modbus', role: 'client', network: 'line', node },
      timeout_ms: 100,
    })),
    { id: 'panel', kind: 'modbus', role: 'server', network: 'panel', node: 1 },
  ],
  signals: [
    ...[1, 2, 3].map((unit) => ({ id: `level${unit}`, type: 'uint64', producer: 'input' })),
    { id: 'setpoint', type: 'uint64', producer: 'input' },
    { id: 'speed', type: 'uint64', producer: 'input' },
    { id: 'count', type: 'uint64', producer: 'software', initial: '0' },
    { id: 'lamp', type: 'bool', producer: 'software', initial: '0' },
  ],
  codecs: [
    { id: 'u16', kind: 'linear', raw: 'unsigned', bit_length: 16 },
    { id: 'u16le', kind: 'linear', raw: 'unsigned', bit_length: 16, byte_order: 'intel' },
    { id: 'bit', kind: 'linear', raw: 'bool' },
  ],
  messages: [
    { ...can, id: 'speed', direction: 'rx', can_id: 0x100, stale_after_ms: 0 },
    { ...can, id: 'alive', direction: 'tx', can_id: 0x200, period_ms: 100 },
    { ...can, id: 'level', direction: 'tx', can_id: 0x300 },
  ],
  modbus_resources: [
    ...Array.from(polledEveryMs, ([unit, poll_ms]) => ({
      ...{ id: `level${unit}`, endpoint: `unit${unit}`, table: 'holding', address: 0 },
      ...{ access: 'poll', poll_ms, stale_after_ms: 2000 },
    })),
    ...Object.entries(writtenBy).map(([id, [unit, address]]) => ({
      ...{ id: `w.${id}`, endpoint: `unit${unit}`, table: 'holding', address, access: 'write' },
      ...(id === 'lamp' ? { bit_offset: 3 } : {}),
    })),
    { id: 'e.setpoint', endpoint: 'panel', table: 'holding', address: 10, access: 'external' },
    { id: 's.level', endpoint: 'panel', table: 'input', address: 0, access: 'serve' },
    { id: 's.speed', endpoint: 'panel', table: 'input', address: 1, access: 'serve' },
  ],
  bindings: [
    ...[1, 2, 3].map((unit) => ({
      ...{ id: `level${unit}`, signal: `level${unit}`, direction: 'rx', ...u16 },
      resource: `level${unit}`,
    })),
    { id: 'setpoint', signal: 'setpoint', direction: 'rx', resource: 'e.setpoint', ...u16 },
    { id: 'speed', signal: 'speed', direction: 'rx', message: 'speed', ...u16le },
    { id: 'w.setpoint', signal: 'setpoint', direction: 'tx', resource: 'w.setpoint', ...u16 },
    { id: 'w.speed', signal: 'speed', direction: 'tx', resource: 'w.speed', ...u16 },
    { id: 'w.count', signal: 'count', direction: 'tx', resource: 'w.count', ...u16 },
    { id: 'w.lamp', signal: 'lamp', direction: 'tx', resource: 'w.lamp', codec: 'bit' },
    { id: 's.level', signal: 'level1', direction: 'tx', resource: 's.level', ...u16 },
    { id: 's.speed', signal: 'speed', direction: 'tx', resource: 's.speed', ...u16 },
    { id: 'alive', signal: 'setpoint', direction: 'tx', message: 'alive', ...u16le },
    { id: 'level', signal: 'level3', direction: 'tx', message: 'level', ...u16le },
  ],
  tx_tasks: [
    { id: 'setpoint', resources: ['w.setpoint'], policy: 'on_change' },
    { id: 'lamp', resources: ['w.lamp'], policy: 'on_change' },
    { id: 'speed', resources: ['w.speed'], policy: 'on_change' },
    { id: 'count', resources: ['w.count'], period_ms: 500 },
    { id: 'alive', message: 'alive' },
    { id: 'level', message: 'level', policy: 'on_change' },
  ],
});
