import type { LooseProject } from '../../project/testing/coolant-project.ts';

/** A codec with this many bits for registers. */
const codec = (id: string, raw: string, bits: number, more: object = {}) => ({
  id,
  kind: 'linear',
  raw,
  ...(raw === 'bool' || raw.startsWith('float') ? {} : { bit_length: bits }),
  ...(bits > 16 ? { word_order: 'ABCD' } : {}),
  ...more,
});

const resource = (id: string, endpoint: string, table: string, address: number, more: object) => ({
  id,
  endpoint,
  table,
  address,
  ...more,
});

const binding = (
  signal: string,
  direction: 'rx' | 'tx',
  resource: string,
  codec: string,
  more: object = {},
) => ({
  id: `${signal}.${resource}`,
  signal,
  direction,
  resource,
  codec,
  ...more,
});

const signal = (id: string, type: string, producer: string, more: object = {}) => ({
  id,
  type,
  producer,
  ...more,
});

/**
 * A plant: a unit that is polled and written to, and a server for others.
 *
 *     pump   polled: level, energy (64 bits) and a state with its validity bit elsewhere
 *            written: speed and limit by one task, two bits of a word by another
 *     panel  served: level, speed and bits; written by clients: setpoint, total (64 bits), mode, switches
 */
export const plantProject = (): LooseProject => ({
  format: 'gwproj',
  schema_version: 1,
  id: 'plant',
  endpoints: [
    { id: 'pump', kind: 'modbus', role: 'client', network: 'line', node: 7 },
    { id: 'panel', kind: 'modbus', role: 'server', network: 'panel', node: 1 },
  ],
  signals: [
    signal('level', 'float64', 'input'),
    signal('energy', 'uint64', 'input'),
    signal('state', 'uint64', 'input', { initial: '9' }),
    signal('speed', 'uint64', 'software', { initial: '0' }),
    signal('limit', 'int64', 'software'),
    signal('run', 'bool', 'software', { initial: '0' }),
    signal('reverse', 'bool', 'software', { initial: '1' }),
    signal('setpoint', 'uint64', 'input', { initial: '50' }),
    signal('total', 'int64', 'input'),
    signal('mode', 'uint64', 'input'),
    signal('lamp', 'bool', 'input'),
    signal('horn', 'bool', 'input'),
  ],
  codecs: [
    codec('u16', 'unsigned', 16),
    codec('s32', 'signed', 32),
    codec('u64', 'unsigned', 64),
    codec('s64', 'signed', 64, { word_order: 'CDAB' }),
    codec('tenth', 'signed', 16, { factor: 0.1, invalid_raw: '-32768' }),
    codec('bit', 'bool', 1),
    codec('percent', 'unsigned', 16, {
      raw_max: '100',
      special: [{ raw: '255', state: 'not_available' }],
    }),
  ],
  modbus_resources: [
    resource('p.level', 'pump', 'input', 0, { access: 'poll', poll_ms: 100 }),
    resource('p.energy', 'pump', 'input', 1, { count: 4, access: 'poll', poll_ms: 100 }),
    resource('p.state', 'pump', 'holding', 20, { access: 'poll', poll_ms: 100 }),
    resource('p.state_ok', 'pump', 'discrete', 3, { access: 'poll', poll_ms: 200 }),
    resource('w.speed', 'pump', 'holding', 1, { access: 'write' }),
    resource('w.limit', 'pump', 'holding', 2, { count: 2, access: 'write' }),
    resource('w.limit_ok', 'pump', 'coil', 0, { access: 'write' }),
    resource('w.run', 'pump', 'holding', 30, { bit_offset: 0, access: 'write' }),
    resource('w.reverse', 'pump', 'holding', 30, { bit_offset: 9, access: 'write' }),
    resource('s.level', 'panel', 'input', 0, { access: 'serve' }),
    resource('s.level_ok', 'panel', 'discrete', 0, { access: 'serve' }),
    resource('s.run', 'panel', 'input', 1, { bit_offset: 4, access: 'serve' }),
    resource('s.reverse', 'panel', 'input', 1, { bit_offset: 5, access: 'serve' }),
    resource('e.setpoint', 'panel', 'holding', 10, { access: 'external' }),
    resource('e.total', 'panel', 'holding', 11, { count: 4, access: 'external' }),
    resource('e.mode', 'panel', 'holding', 15, { access: 'external', stale_after_ms: 500 }),
    resource('e.mode_ok', 'panel', 'coil', 7, { access: 'external' }),
    resource('e.lamp', 'panel', 'holding', 16, { bit_offset: 0, access: 'external' }),
    resource('e.horn', 'panel', 'holding', 16, { bit_offset: 15, access: 'external' }),
  ],
  bindings: [
    binding('level', 'rx', 'p.level', 'tenth'),
    binding('energy', 'rx', 'p.energy', 'u64'),
    binding('state', 'rx', 'p.state', 'u16', { validity_bit: 'p.state_ok' }),
    binding('speed', 'tx', 'w.speed', 'u16'),
    binding('limit', 'tx', 'w.limit', 's32', { validity_bit: 'w.limit_ok' }),
    binding('run', 'tx', 'w.run', 'bit'),
    binding('reverse', 'tx', 'w.reverse', 'bit'),
    binding('level', 'tx', 's.level', 'tenth', { validity_bit: 's.level_ok' }),
    binding('run', 'tx', 's.run', 'bit'),
    binding('reverse', 'tx', 's.reverse', 'bit'),
    binding('setpoint', 'rx', 'e.setpoint', 'percent'),
    binding('total', 'rx', 'e.total', 's64'),
    binding('mode', 'rx', 'e.mode', 'u16', { validity_bit: 'e.mode_ok' }),
    binding('lamp', 'rx', 'e.lamp', 'bit'),
    binding('horn', 'rx', 'e.horn', 'bit'),
  ],
  tx_tasks: [
    { id: 'Drive', resources: ['w.speed', 'w.limit'], policy: 'on_change' },
    { id: 'Switch', resources: ['w.reverse', 'w.run'], period_ms: 50 },
    { id: 'Guard', resources: ['w.limit_ok'], policy: 'on_change' },
  ],
});
