import type { GatewayInstance, GatewaySignal, GatewayTask } from '../../../api/client.ts';
import type { FlowGraph } from '../graph/flow-graph.ts';
import {
  bindingError,
  endpointReading,
  idle,
  inputInvalid,
  type Reading,
  signalReading,
  taskReading,
  tones,
} from './reading.ts';

export interface FlowSource {
  readonly signals: {
    rowOf(id: string): number;
    at(row: number): GatewaySignal | null;
    revisionAt(row: number): number;
    readonly revision: number;
  };
  readonly tasks: ReadonlyMap<string, GatewayTask>;
  readonly status: GatewayInstance | null;
}

export const worse = (one: Reading, other: Reading): Reading =>
  tones.indexOf(other.tone) > tones.indexOf(one.tone) ? other : one;

const refusedBindings = ({ bindings }: GatewaySignal): string => {
  let refused = '';
  for (const { id, error } of bindings) if (error) refused += `${id} ${error.code} `;
  return refused;
};

export class FlowReadings {
  readonly #graph: FlowGraph;
  readonly #rows: Int32Array;
  readonly nodes: Reading[];
  readonly edges: Reading[];
  readonly #refused: string[];
  #seen = 0;
  #tasks: unknown = null;
  #links = '';
  /** Increases when a reading changes; values change without it. */
  version = 0;

  constructor(graph: FlowGraph) {
    this.#graph = graph;
    this.#rows = new Int32Array(graph.nodes.length).fill(-1);
    this.#refused = graph.nodes.map(() => '');
    this.nodes = graph.nodes.map(() => idle);
    this.edges = Array.from(graph.sources, () => idle);
  }

  signalOf({ signals }: Pick<FlowSource, 'signals'>, node: number): GatewaySignal | null {
    const { kind, name } = this.#graph.nodes[node] ?? {};
    if (kind !== 'signal' || name === undefined) return null;
    let row = this.#rows[node] ?? -1;
    if (row < 0 || signals.at(row)?.id !== name) {
      row = signals.rowOf(name);
      this.#rows[node] = row;
    }
    return signals.at(row);
  }

  /** Applies changes since the last call. New values alone cost one comparison per signal. */
  update(source: FlowSource): void {
    const { signals, tasks, status } = source;
    const links = JSON.stringify([status?.state, status?.endpoints]);
    let isChanged = this.#tasks !== tasks || this.#links !== links;
    if (signals.revision !== this.#seen) {
      for (const node of this.#graph.nodes.keys()) {
        const entry = this.signalOf(source, node);
        if (!entry || signals.revisionAt(this.#rows[node] ?? -1) <= this.#seen) continue;
        const refused = refusedBindings(entry);
        const reading = signalReading(entry, status?.state === 'running');
        isChanged ||= refused !== this.#refused[node] || this.#isOther(node, reading);
        this.#refused[node] = refused;
      }
      this.#seen = signals.revision;
    }
    this.#tasks = tasks;
    this.#links = links;
    if (isChanged) this.#readAll(source);
  }

  #isOther(node: number, { tone, reason }: Reading): boolean {
    const known = this.nodes[node];
    return known?.tone !== tone || known.reason !== reason;
  }

  #causeOf(node: number): Reading {
    const { nodes, sources, incoming } = this.#graph;
    const own = this.nodes[node] ?? idle;
    const seen = new Set([node]);
    for (const at of seen) {
      const { tone, reason } = this.nodes[at] ?? idle;
      const { kind, name } = nodes[at] ?? {};
      const isCause = kind === 'signal' && tone !== 'good' && reason !== inputInvalid;
      if (isCause && reason !== null) return { ...own, tone, message: `${name}: ${reason}` };
      for (const edge of incoming.of(at)) {
        const before = sources[edge] ?? 0;
        if (nodes[before]?.side === 'between') seen.add(before);
      }
    }
    return own;
  }

  #readAll(source: FlowSource): void {
    const isRunning = source.status?.state === 'running';
    const endpoints = new Map(source.status?.endpoints.map((each) => [each.id, each]));
    const before = [...this.nodes, ...this.edges];
    for (const [node, { kind, name }] of this.#graph.nodes.entries()) {
      let reading = idle;
      if (kind === 'signal') reading = signalReading(this.signalOf(source, node), isRunning);
      else if (kind === 'task') reading = taskReading(source.tasks.get(name) ?? null, isRunning);
      else if (kind === 'endpoint') {
        reading = endpointReading(endpoints.get(name) ?? null, isRunning);
      }
      this.nodes[node] = reading;
    }
    for (const [node, { reason }] of this.nodes.entries()) {
      if (reason === inputInvalid) this.nodes[node] = this.#causeOf(node);
    }
    this.#readEdges(source, isRunning);
    this.#readHolders();
    this.#readEdges(source, isRunning);
    const after = [...this.nodes, ...this.edges];
    const isOther = ({ tone, reason }: Reading, at: number): boolean =>
      before[at]?.tone !== tone || before[at].reason !== reason;
    if (after.some(isOther)) this.version += 1;
  }

  #readEdges(source: FlowSource, isRunning: boolean): void {
    const { nodes, sources, targets, bindings } = this.#graph;
    const readingOf = (node: number): Reading => this.nodes[node] ?? idle;
    for (const edge of this.edges.keys()) {
      const [from, to] = [sources[edge] ?? 0, targets[edge] ?? 0];
      const binding = bindings[edge] ?? null;
      let reading = idle;
      if (nodes[to]?.kind === 'signal') reading = readingOf(to);
      else if (nodes[from]?.kind === 'signal') {
        const isSent = isRunning && binding !== null;
        const refusal = isSent ? bindingError(this.signalOf(source, from), binding) : null;
        reading = refusal ?? readingOf(from);
      } else reading = worse(readingOf(from), readingOf(to));
      this.edges[edge] = reading;
    }
  }

  #readHolders(): void {
    const { nodes, outgoing, incoming } = this.#graph;
    for (const [node, { kind, side }] of nodes.entries()) {
      if (kind === 'signal' || kind === 'endpoint' || kind === 'task') continue;
      const edges = side === 'out' ? incoming.of(node) : outgoing.of(node);
      this.nodes[node] = worstOf(Array.from(edges, (edge) => this.edges[edge] ?? idle));
    }
  }
}

export const worstOf = (readings: Iterable<Reading>): Reading => {
  let worst = idle;
  for (const reading of readings) worst = worse(worst, reading);
  return worst;
};
