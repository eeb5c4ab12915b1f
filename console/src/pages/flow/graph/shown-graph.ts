import { type Adjacency, adjacencyOf, type FlowGraph } from './flow-graph.ts';
import { noHolder } from './holders.ts';

/** Key of the node that represents all computed nodes when they are collapsed. */
export const betweenKey = 'between';

interface Folding {
  readonly folded: ReadonlySet<string>;
  readonly only: Uint8Array | null;
}

/** Visible part of a graph. A node can represent others, and an edge all edges between its ends. */
export interface ShownGraph {
  readonly nodes: Uint32Array;
  readonly shownAs: Int32Array;
  readonly held: Uint32Array;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly edges: readonly (readonly number[])[];
  readonly outgoing: Adjacency;
  readonly incoming: Adjacency;
}

const fallbacks = (graph: FlowGraph, holders: Int32Array, folded: ReadonlySet<string>) => {
  const { nodes } = graph;
  const isFolded = nodes.map(({ key }) => folded.has(key));
  const foldsBetween = folded.has(betweenKey);
  return (node: number): number => {
    let shown = node;
    for (let at = holders[node] ?? noHolder; at !== noHolder; at = holders[at] ?? noHolder) {
      if (isFolded[at]) shown = at;
    }
    const isFree = nodes[node]?.side === 'between' && holders[node] === noHolder;
    return foldsBetween && isFree ? nodes.length : shown;
  };
};

export const shownGraphOf = (
  graph: FlowGraph,
  holders: Int32Array,
  { folded, only }: Folding,
): ShownGraph => {
  const total = graph.nodes.length;
  const fallback = fallbacks(graph, holders, folded);
  const shownAs = new Int32Array(total).fill(-1);
  const numbers = new Map<number, number>();
  const held: number[] = [];
  for (let node = 0; node < total; node++) {
    if (only && !only[node]) continue;
    const shown = fallback(node);
    const number = numbers.get(shown) ?? numbers.size;
    if (!numbers.has(shown)) {
      numbers.set(shown, number);
      held.push(0);
    }
    shownAs[node] = number;
    if (shown !== node) held[number] = (held[number] ?? 0) + 1;
  }
  const sources: number[] = [];
  const targets: number[] = [];
  const edges: number[][] = [];
  const known = new Map<number, number>();
  for (let edge = 0; edge < graph.sources.length; edge++) {
    const source = shownAs[graph.sources[edge] ?? 0] ?? -1;
    const target = shownAs[graph.targets[edge] ?? 0] ?? -1;
    if (source < 0 || target < 0 || source === target) continue;
    const pair = source * numbers.size + target;
    const at = known.get(pair);
    if (at !== undefined) {
      edges[at]?.push(edge);
      continue;
    }
    known.set(pair, edges.length);
    sources.push(source);
    targets.push(target);
    edges.push([edge]);
  }
  const [from, to] = [Uint32Array.from(sources), Uint32Array.from(targets)];
  return {
    nodes: Uint32Array.from(numbers.keys()),
    shownAs,
    held: Uint32Array.from(held),
    sources: from,
    targets: to,
    edges,
    outgoing: adjacencyOf(numbers.size, from),
    incoming: adjacencyOf(numbers.size, to),
  };
};

export const foldable = (graph: FlowGraph, holders: Int32Array): Set<string> => {
  const keys = new Set<string>();
  for (const holder of holders) {
    if (holder !== noHolder) keys.add(graph.nodes[holder]?.key ?? '');
  }
  return keys;
};

const readable = 100;

/**
 * Initial collapsing: nothing in a small project; then messages, computed nodes and finally
 * endpoints.
 */
export const firstFolding = (graph: FlowGraph, holders: Int32Array): Set<string> => {
  const { nodes } = graph;
  const keys = [...foldable(graph, holders)];
  const isEndpoint = new Set(nodes.filter(({ kind }) => kind === 'endpoint').map(({ key }) => key));
  const inner = keys.filter((key) => !isEndpoint.has(key));
  for (const choice of [[], inner, [...inner, betweenKey]]) {
    const folded = new Set(choice);
    if (shownGraphOf(graph, holders, { folded, only: null }).nodes.length <= readable) {
      return folded;
    }
  }
  return new Set([...keys, betweenKey]);
};
