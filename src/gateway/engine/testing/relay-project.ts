import type { LooseProject } from '../../project/testing/coolant-project.ts';

type Row = { readonly id: string; readonly [field: string]: unknown };
export type Rows = Readonly<Record<string, readonly Row[]>>;

const relay: Rows = {
  endpoints: [
    { id: 'in', kind: 'can', network: 'in' },
    { id: 'out', kind: 'can', network: 'out' },
  ],
  signals: [
    { id: 'speed', type: 'uint64', producer: 'input' },
    { id: 'shown', type: 'uint64', producer: 'derived' },
  ],
  codecs: [{ id: 'u8', kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' }],
  messages: [
    { id: 'Engine', endpoint: 'in', direction: 'rx', can_id: 256, length: 2, stale_after_ms: 300 },
    { id: 'Cluster', endpoint: 'out', direction: 'tx', can_id: 512, length: 2, period_ms: 20 },
  ],
  bindings: [
    {
      id: 'speed.rx',
      signal: 'speed',
      direction: 'rx',
      message: 'Engine',
      codec: 'u8',
      start_bit: 0,
    },
    {
      id: 'shown.tx',
      signal: 'shown',
      direction: 'tx',
      message: 'Cluster',
      codec: 'u8',
      start_bit: 0,
    },
  ],
  mappings: [{ id: 'show', inputs: ['speed'], outputs: ['shown'] }],
  tx_tasks: [{ id: 'Cluster', message: 'Cluster' }],
};

/** Removes undefined fields. */
const merged = (rows: readonly Row[], changes: readonly Row[]): Row[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const change of changes) byId.set(change.id, { ...byId.get(change.id), ...change });
  return [...byId.values()];
};

/**
 * A project that forwards the first byte of one message in another. Rows with an existing id
 * change that row, others are added.
 */
export const relayProject = (changes: Rows = {}): LooseProject => {
  const project: LooseProject = { format: 'gwproj', schema_version: 1, id: 'relay' };
  for (const table of new Set([...Object.keys(relay), ...Object.keys(changes)])) {
    project[table] = merged(relay[table] ?? [], changes[table] ?? []);
  }
  return project;
};

const guard: Row = {
  id: 'guard',
  kind: 'e2e',
  profile: 'free',
  counter: { start_bit: 8, bit_length: 8, byte_order: 'intel', max: '14' },
  checksum: { start_bit: 16, bit_length: 8, byte_order: 'intel', algorithm: 'xor8' },
};

/** Rows that protect the sent message: its value, a counter from 0 to 14 and their XOR. */
export const protecting: Rows = {
  codecs: [guard],
  messages: [{ id: 'Cluster', length: 3 }],
  e2e: [{ id: 'Cluster.protect', message: 'Cluster', direction: 'protect', codec: 'guard' }],
};

/** Rows that check the received message, which has the same layout. */
export const checking: Rows = {
  codecs: [guard],
  messages: [{ id: 'Engine', length: 3 }],
  e2e: [{ id: 'Engine.check', message: 'Engine', direction: 'check', codec: 'guard' }],
};

/** Combines several changes of a project. */
export const together = (...changes: readonly Rows[]): Rows => {
  const all: Record<string, Row[]> = {};
  for (const change of changes) {
    for (const [table, rows] of Object.entries(change)) {
      all[table] = merged(all[table] ?? [], rows);
    }
  }
  return all;
};
