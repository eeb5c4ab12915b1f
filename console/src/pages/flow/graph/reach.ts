import type { FlowGraph } from './flow-graph.ts';

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

/** Everything that a node's value comes from and goes to, with itself: 1 for each of them. */
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
