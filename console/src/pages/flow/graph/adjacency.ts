/** The edges of every node, side by side in one array. */
export interface Adjacency {
  /** Edges of a node, in their own order; what is yielded must not be kept over a change. */
  of(node: number): Uint32Array;
}

/** Groups edges by the node at one of their ends. */
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
