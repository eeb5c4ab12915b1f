import type { ShownGraph } from '../graph/shown-graph.ts';

/**
 * Edges as pieces that lead from one column to the next. Where edges of one node pass a column on their way,
 * they share a way through it, as the branches of a wire do.
 */
export interface Wiring {
  /** Shown nodes first, then the ways through columns. */
  readonly items: number;
  readonly nodes: number;
  readonly columns: Uint32Array;
  /** The node whose value an item has: itself, or the one that the wire comes from. */
  readonly owners: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** The edge that a piece ends; -1 where it leads on. */
  readonly edges: Int32Array;
  /** The piece that leads to a way through a column; -1 for nodes. */
  readonly into: Int32Array;
  /** Edges that lead back, or stay in their column: they are drawn as they are. */
  readonly back: readonly number[];
}

export const wiringOf = (shown: ShownGraph, columns: Uint32Array): Wiring => {
  const nodes = columns.length;
  const itemColumns = [...columns];
  const owners = Array.from(columns, (_, node) => node);
  const from: number[] = [];
  const to: number[] = [];
  const edges: number[] = [];
  const into: number[] = new Array(nodes).fill(-1);
  const back: number[] = [];
  const connect = (source: number, target: number, edge: number): void => {
    from.push(source);
    to.push(target);
    edges.push(edge);
  };
  for (let node = 0; node < nodes; node++) {
    const own = columns[node] ?? 0;
    const columnOf = (edge: number): number => columns[shown.targets[edge] ?? 0] ?? 0;
    const ahead = [...shown.outgoing.of(node)].filter((edge) => {
      if (columnOf(edge) <= own) back.push(edge);
      return columnOf(edge) > own;
    });
    ahead.sort((one, other) => columnOf(one) - columnOf(other));
    let item = node;
    for (const edge of ahead) {
      while ((itemColumns[item] ?? 0) + 1 < columnOf(edge)) {
        const next = itemColumns.push((itemColumns[item] ?? 0) + 1) - 1;
        owners.push(node);
        into.push(from.length);
        connect(item, next, -1);
        item = next;
      }
      connect(item, shown.targets[edge] ?? 0, edge);
    }
  }
  return {
    items: itemColumns.length,
    nodes,
    columns: Uint32Array.from(itemColumns),
    owners: Uint32Array.from(owners),
    from: Uint32Array.from(from),
    to: Uint32Array.from(to),
    edges: Int32Array.from(edges),
    into: Int32Array.from(into),
    back,
  };
};
