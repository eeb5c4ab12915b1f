import type { FlowGraph } from './flow-graph.ts';

export const noHolder = -1;

/** Container of a row on the wire: the message of a PDU, the task of a written register. */
const wireHolder = (graph: FlowGraph, node: number): number => {
  const { nodes, sources, targets, incoming, outgoing } = graph;
  const { side, endpoint } = nodes[node] as FlowGraph['nodes'][number];
  if (side === 'in') {
    const [edge] = incoming.of(node);
    return edge === undefined ? endpoint : (sources[edge] ?? endpoint);
  }
  const [edge] = outgoing.of(node);
  return edge === undefined ? endpoint : (targets[edge] ?? endpoint);
};

const sourceHolder = ({ nodes, sources, incoming }: FlowGraph, node: number): number => {
  for (const edge of incoming.of(node)) {
    const source = sources[edge] ?? 0;
    if (nodes[source]?.side === 'in') return source;
  }
  return noHolder;
};

/**
 * Container of every node when that container is collapsed, or `noHolder`. Received rows
 * contain the signals read from them. Sent rows contain all nodes that lead only to them.
 */
export const holdersOf = (graph: FlowGraph): Int32Array => {
  const { nodes, targets, outgoing } = graph;
  const holders = new Int32Array(nodes.length).fill(noHolder);
  const isDone = new Uint8Array(nodes.length);
  for (const [node, { side, kind }] of nodes.entries()) {
    if (side === 'between') holders[node] = sourceHolder(graph, node);
    else if (kind !== 'endpoint') holders[node] = wireHolder(graph, node);
    if (side !== 'between' || holders[node] !== noHolder) isDone[node] = 1;
  }
  const endOf = (node: number): number =>
    nodes[node]?.side === 'out' ? node : (holders[node] ?? noHolder);
  const soleEnd = (node: number): number => {
    let sole = noHolder;
    for (const edge of outgoing.of(node)) {
      const end = endOf(targets[edge] ?? 0);
      if (end === noHolder || nodes[end]?.side !== 'out') return noHolder;
      if (sole !== noHolder && sole !== end) return noHolder;
      sole = end;
    }
    return sole;
  };
  // Targets are visited before sources. A cycle is detected while its node is open, and gets no
  // container.
  for (const start of nodes.keys()) {
    const open = [start];
    while (open.length > 0) {
      const node = open.at(-1) as number;
      if (isDone[node] === 0) {
        isDone[node] = 2;
        for (const edge of outgoing.of(node)) {
          const target = targets[edge] ?? 0;
          if (isDone[target] === 0) open.push(target);
        }
        continue;
      }
      open.pop();
      if (isDone[node] === 2) {
        isDone[node] = 1;
        holders[node] = soleEnd(node);
      }
    }
  }
  return holders;
};
