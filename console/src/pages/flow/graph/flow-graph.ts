import type { GatewayGraphEdge, GatewayGraphNode } from '../../../api/client.ts';
import { hasWords, wordsOf } from '../../../ui/search-words.ts';

const rankOf = (name: string, query: string): number => {
  if (name === query) return 0;
  return name.startsWith(query) ? 1 : 2;
};

export const searchNodes = ({ nodes }: Pick<FlowGraph, 'nodes'>, query: string): number[] => {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const text = words.join(' ');
  const isFound = ({ kind, name, detail, message, endpoint }: FlowNode): boolean => {
    const all = [kind, name, detail, message ?? '', nodes[endpoint]?.name ?? ''];
    return hasWords(all.join(' '), words);
  };
  const ranks: number[][] = [[], [], []];
  for (const [number, node] of nodes.entries()) {
    if (isFound(node)) ranks[rankOf(node.name.toLowerCase(), text)]?.push(number);
  }
  return ranks.flat();
};

type Ends = Pick<FlowGraph, 'sources' | 'targets' | 'incoming' | 'outgoing'>;

const spread = (
  start: number,
  marks: Uint8Array,
  next: (node: number) => { readonly edges: Uint32Array; readonly ends: Uint32Array },
): void => {
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { edges, ends } = next(node);
    for (const edge of edges) {
      const end = ends[edge] ?? 0;
      if (marks[end]) continue;
      marks[end] = 1;
      open.push(end);
    }
  }
};

/** Nodes on any path through a node, including itself: 1 for each. */
export const reachOf = (graph: Ends, nodes: number, start: number): Uint8Array => {
  const up = new Uint8Array(nodes);
  const down = new Uint8Array(nodes);
  up[start] = 1;
  down[start] = 1;
  spread(start, up, (node) => ({ edges: graph.incoming.of(node), ends: graph.sources }));
  spread(start, down, (node) => ({ edges: graph.outgoing.of(node), ends: graph.targets }));
  for (const [node, mark] of up.entries()) if (mark) down[node] = 1;
  return down;
};

export interface Adjacency {
  /** Edges of a node in order; a view, only valid until the next change. */
  of(node: number): Uint32Array;
}

export const adjacencyOf = (nodes: number, ends: ArrayLike<number>): Adjacency => {
  const starts = new Uint32Array(nodes + 1);
  for (let edge = 0; edge < ends.length; edge++) {
    const next = (ends[edge] as number) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let node = 0; node < nodes; node++) {
    starts[node + 1] = (starts[node + 1] as number) + (starts[node] as number);
  }
  const edges = new Uint32Array(ends.length);
  const filled = starts.slice();
  for (let edge = 0; edge < ends.length; edge++) {
    const end = ends[edge] as number;
    const at = filled[end] as number;
    edges[at] = edge;
    filled[end] = at + 1;
  }
  return { of: (node) => edges.subarray(starts[node], starts[node + 1]) };
};

export type FlowKind = GatewayGraphNode['kind'];
type Side = 'in' | 'between' | 'out';

export interface FlowNode {
  /** Unique in the graph and stable as long as the project has the row. */
  readonly key: string;
  readonly kind: FlowKind;
  readonly name: string;
  readonly detail: string;
  readonly side: Side;
  readonly message: string | null;
  /** Endpoint node that the row is received from or sent to; -1 for computed rows. */
  readonly endpoint: number;
}

export interface FlowGraph {
  readonly nodes: readonly FlowNode[];
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly bindings: readonly (string | null)[];
  readonly outgoing: Adjacency;
  readonly incoming: Adjacency;
}

export type GraphElement = GatewayGraphNode | GatewayGraphEdge;

const isNode = (element: GraphElement): element is GatewayGraphNode => element.group === 'nodes';

const outKey = (endpoint: string): string => `to:${endpoint}`;

const sideOf = ({ kind, id }: GatewayGraphNode, received: ReadonlySet<string>): Side => {
  if (kind === 'endpoint') return 'in';
  if (kind === 'task') return 'out';
  if (kind === 'message' || kind === 'pdu' || kind === 'resource') {
    return received.has(id) ? 'in' : 'out';
  }
  return 'between';
};

const receivedOf = (
  edges: readonly GatewayGraphEdge[],
  byId: ReadonlyMap<string, GatewayGraphNode>,
): Set<string> => {
  const received = new Set<string>();
  for (const { source, target } of edges) {
    const kind = byId.get(source)?.kind;
    if (kind === 'endpoint' || (kind === 'message' && byId.get(target)?.kind === 'pdu')) {
      received.add(target);
    }
  }
  return received;
};

const tasksByMessage = (
  edges: readonly GatewayGraphEdge[],
  byId: ReadonlyMap<string, GatewayGraphNode>,
): Map<string, string> =>
  new Map(
    edges
      .filter(
        ({ source, target }) =>
          byId.get(source)?.kind === 'message' && byId.get(target)?.kind === 'task',
      )
      .map(({ source, target }) => [source, target]),
  );

/**
 * Graph to draw. Unlike the service's graph, it merges a message with its task, and splits an
 * endpoint used in both directions.
 */
export const flowGraphOf = (elements: Iterable<GraphElement>): FlowGraph => {
  const reported: GatewayGraphNode[] = [];
  const edges: GatewayGraphEdge[] = [];
  for (const element of elements) {
    if (isNode(element)) reported.push(element);
    else edges.push(element);
  }
  const byId = new Map(reported.map((node) => [node.id, node]));
  const received = receivedOf(edges, byId);
  const taskOf = tasksByMessage(edges, byId);
  const messageOf = new Map([...taskOf].map(([message, task]) => [task, message]));

  const sentTo = new Set<string>();
  const keepers = new Set(edges.map(({ source }) => source));
  for (const node of reported) {
    if (node.endpoint !== null && sideOf(node, received) === 'out') sentTo.add(node.endpoint);
  }
  const kept = reported.filter(
    ({ id, kind, row }) =>
      !taskOf.has(id) && (kind !== 'endpoint' || keepers.has(id) || !sentTo.has(row)),
  );
  const numbers = new Map(kept.map(({ id }, number) => [id, number]));
  const ends = reported.filter(({ kind, row }) => kind === 'endpoint' && sentTo.has(row));
  for (const [at, { row }] of ends.entries()) numbers.set(outKey(row), kept.length + at);
  for (const [message, task] of taskOf) numbers.set(message, numbers.get(task) ?? 0);

  const nodes = kept.map((node): FlowNode => {
    const side = sideOf(node, received);
    const message = byId.get(messageOf.get(node.id) ?? '');
    const endpoint = node.endpoint ?? '';
    return {
      key: node.id,
      kind: node.kind,
      name: node.row,
      detail: message ? `${message.detail} ${node.detail}` : node.detail,
      side,
      message: message?.row ?? null,
      endpoint: numbers.get(side === 'out' ? outKey(endpoint) : `endpoint:${endpoint}`) ?? -1,
    };
  });
  for (const { row, detail } of ends) {
    const key = outKey(row);
    nodes.push({
      ...{ key, kind: 'endpoint', name: row, detail, side: 'out', message: null, endpoint: -1 },
    });
  }

  const sources: number[] = [];
  const targets: number[] = [];
  const bindings: (string | null)[] = [];
  const connect = (source: number, target: number, binding: string | null): void => {
    sources.push(source);
    targets.push(target);
    bindings.push(binding);
  };
  for (const { source, target, binding } of edges) {
    const [from, to] = [numbers.get(source), numbers.get(target)];
    if (from !== undefined && to !== undefined && from !== to) connect(from, to, binding);
  }
  const leading = new Set(sources);
  for (const [number, { side, kind, endpoint }] of nodes.entries()) {
    const isEnd = side === 'out' && endpoint >= 0 && (kind === 'task' || !leading.has(number));
    if (isEnd) connect(number, endpoint, null);
  }
  const [from, to] = [Uint32Array.from(sources), Uint32Array.from(targets)];
  return {
    nodes,
    sources: from,
    targets: to,
    bindings,
    outgoing: adjacencyOf(nodes.length, from),
    incoming: adjacencyOf(nodes.length, to),
  };
};
