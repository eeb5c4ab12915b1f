import { hexDigits } from '../../frame/hex-bytes.ts';
import type { Project } from '../project/project.ts';
import type { BindingRow } from '../project/tables/bindings.ts';
import type { E2eCodec } from '../project/tables/codecs.ts';
import type { EndpointRow } from '../project/tables/endpoints.ts';
import type { Transform } from '../project/tables/mappings.ts';
import type { MessageRow, PduRow } from '../project/tables/messages.ts';
import type { ModbusResourceRow } from '../project/tables/modbus-resources.ts';
import type { PluginRow } from '../project/tables/plugins.ts';
import type { TxTaskRow } from '../project/tables/tx-tasks.ts';
import type { GatewayProtection, GraphEdge, GraphNode, NodeKind } from './graph-record.ts';

const range = (first: number, count: number): string =>
  count === 1 ? String(first) : `${first}–${first + count - 1}`;

const endpointDetail = (row: EndpointRow): string =>
  row.kind === 'can' ? 'CAN' : `Modbus ${row.role}, unit ${row.node}`;

const messageDetail = ({ can_id, extended }: MessageRow): string =>
  hexDigits(can_id, extended ? 8 : 3);

const pduDetail = ({ byte_offset, length }: PduRow): string =>
  `${length === 1 ? 'byte' : 'bytes'} ${range(byte_offset, length)}`;

const resourceDetail = (row: ModbusResourceRow): string => {
  const bit = row.bit_offset === undefined ? '' : `.${row.bit_offset}`;
  return `${row.table} ${range(row.address, row.count ?? 1)}${bit}`;
};

const linearText = (k: number, b: number): string => {
  const factor = k === 1 ? '' : `× ${k}`;
  const summand = b === 0 ? '' : `${b < 0 ? '−' : '+'} ${Math.abs(b)}`;
  return `${factor} ${summand}`.trim() || 'identity';
};

const transformDetail = (transform: Transform): string => {
  switch (transform.kind) {
    case 'linear':
      return linearText(transform.k, transform.b);
    case 'threshold':
      return `≥ ${transform.threshold}`;
    case 'math':
    case 'coordinate':
      return transform.function;
    case 'native':
      return transform.plugin;
    case 'identity':
      return 'identity';
  }
};

const processorDetail = ({ trigger, period_ms }: PluginRow): string =>
  trigger === 'period' ? `every ${period_ms} ms` : 'on input';

const taskDetail = (
  { mode, policy, period_ms }: TxTaskRow,
  messagePeriodMs: number | undefined,
): string => {
  if (mode === 'request') return 'on request';
  return policy === 'on_change' ? 'on change' : `every ${period_ms ?? messagePeriodMs} ms`;
};

const idOf = (kind: NodeKind, row: string): string => `${kind}:${row}`;

const node = (
  kind: NodeKind,
  row: string,
  detail: string,
  endpoint: string | null = null,
  protection: GatewayProtection | null = null,
): GraphNode => ({ group: 'nodes', id: idOf(kind, row), kind, row, endpoint, detail, protection });

const edge = (source: string, target: string, binding: string | null = null): GraphEdge => ({
  group: 'edges',
  source,
  target,
  binding,
});

const processorsOf = ({ plugins }: Project) => plugins.filter(({ kind }) => kind === 'processor');

const settingsOf = ({ id: _id, kind: _kind, comment: _comment, ...settings }: E2eCodec) => settings;

/** Protections by message. */
const protectionsOf = (project: Project): ReadonlyMap<string, GatewayProtection> => {
  const messages = new Map(project.messages.map((row) => [row.id, row]));
  const pdus = new Map(project.pdus.map((row) => [row.id, row]));
  const codecs = new Map(project.codecs.map((row) => [row.id, row]));
  return new Map(
    project.e2e.map(({ message = '', pdu = '', direction, codec }) => {
      const part = pdus.get(pdu);
      const used = codecs.get(codec);
      const protection: GatewayProtection = {
        direction,
        first_byte: part?.byte_offset ?? 0,
        length: part?.length ?? messages.get(message)?.length ?? 0,
        settings: used?.kind === 'e2e' ? settingsOf(used) : null,
      };
      return [part?.message ?? message, protection] as const;
    }),
  );
};

export function* graphNodes(project: Project): Generator<GraphNode> {
  const messages = new Map(project.messages.map((row) => [row.id, row]));
  const resources = new Map(project.modbus_resources.map((row) => [row.id, row]));
  const endpointOf = (message: string | undefined): string | null =>
    messages.get(message ?? '')?.endpoint ?? null;
  for (const row of project.endpoints) yield node('endpoint', row.id, endpointDetail(row));
  const protections = protectionsOf(project);
  for (const row of project.messages) {
    const protection = protections.get(row.id) ?? null;
    yield node('message', row.id, messageDetail(row), row.endpoint, protection);
  }
  for (const row of project.pdus)
    yield node('pdu', row.id, pduDetail(row), endpointOf(row.message));
  for (const row of project.modbus_resources) {
    yield node('resource', row.id, resourceDetail(row), row.endpoint);
  }
  for (const { id, producer } of project.signals) yield node('signal', id, producer);
  for (const { id, transform } of project.mappings) {
    yield node('mapping', id, transformDetail(transform));
  }
  for (const row of processorsOf(project)) yield node('processor', row.id, processorDetail(row));
  for (const row of project.tx_tasks) {
    const { message = '', resources: [first = ''] = [] } = row;
    const detail = taskDetail(row, messages.get(message)?.period_ms);
    const endpoint = endpointOf(message) ?? resources.get(first)?.endpoint ?? null;
    yield node('task', row.id, detail, endpoint);
  }
}

/** Returns the message, PDU or resource of a binding, and the resource of its validity bit. */
const carriersOf = ({ message, pdu, resource, validity_bit }: BindingRow): string[] => [
  ...(message === undefined ? [] : [idOf('message', message)]),
  ...(pdu === undefined ? [] : [idOf('pdu', pdu)]),
  ...(resource === undefined ? [] : [idOf('resource', resource)]),
  ...(typeof validity_bit === 'string' ? [idOf('resource', validity_bit)] : []),
];

function* wireEdges(project: Project): Generator<GraphEdge> {
  const received = new Set<string>();
  for (const { id, endpoint, direction } of project.messages) {
    if (direction === 'tx') continue;
    received.add(id);
    yield edge(idOf('endpoint', endpoint), idOf('message', id));
  }
  for (const { id, message } of project.pdus) {
    const [whole, part] = [idOf('message', message), idOf('pdu', id)];
    yield received.has(message) ? edge(whole, part) : edge(part, whole);
  }
  for (const { id, endpoint, access } of project.modbus_resources) {
    if (access !== 'poll' && access !== 'external') continue;
    yield edge(idOf('endpoint', endpoint), idOf('resource', id));
  }
}

/**
 * Yields edges in the direction of values, from endpoints to tasks. A resource that is only
 * served is also a sink.
 */
export function* graphEdges(project: Project): Generator<GraphEdge> {
  yield* wireEdges(project);
  for (const binding of project.bindings) {
    const signal = idOf('signal', binding.signal);
    for (const carrier of carriersOf(binding)) {
      const isReceived = binding.direction === 'rx';
      const [source, target] = isReceived ? [carrier, signal] : [signal, carrier];
      yield edge(source, target, binding.id);
    }
  }
  for (const { id, inputs, outputs } of project.mappings) {
    for (const input of inputs) yield edge(idOf('signal', input), idOf('mapping', id));
    for (const output of outputs) yield edge(idOf('mapping', id), idOf('signal', output));
  }
  for (const { id, inputs = [], outputs = [], send_tasks = [] } of processorsOf(project)) {
    for (const input of inputs) yield edge(idOf('signal', input), idOf('processor', id));
    for (const output of outputs) yield edge(idOf('processor', id), idOf('signal', output));
    for (const task of send_tasks) yield edge(idOf('processor', id), idOf('task', task));
  }
  for (const { id, message, resources = [] } of project.tx_tasks) {
    if (message !== undefined) yield edge(idOf('message', message), idOf('task', id));
    for (const resource of resources) yield edge(idOf('resource', resource), idOf('task', id));
  }
}
