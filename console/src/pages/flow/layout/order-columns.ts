import { adjacencyOf } from '../graph/flow-graph.ts';
import type { ShownGraph } from '../graph/shown-graph.ts';

/**
 * Edges split into pieces between adjacent columns. Edges of one node share their path through
 * a column, like branches of a wire.
 */
export interface Wiring {
  readonly items: number;
  readonly nodes: number;
  readonly columns: Uint32Array;
  readonly owners: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly edges: Int32Array;
  /** Piece that leads into a passage; -1 for nodes. */
  readonly into: Int32Array;
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

/** More sweeps change little. */
const sweeps = 8;

export type Columns = readonly Uint32Array[];

/** Group of each item or -1, from the largest groups to the smallest. */
export type Groups = readonly Int32Array[];

const firstOrder = ({ columns, items }: Wiring): Uint32Array[] => {
  const lists: number[][] = [];
  for (let item = 0; item < items; item++) {
    const column = columns[item] ?? 0;
    lists[column] ??= [];
    lists[column].push(item);
  }
  return lists.map((list) => Uint32Array.from(list));
};

const placesOf = (order: Columns, items: number): Float64Array => {
  const places = new Float64Array(items);
  for (const column of order) {
    for (const [place, item] of column.entries()) places[item] = place;
  }
  return places;
};

const sortColumn = (
  column: Uint32Array,
  groups: Groups,
  keys: Float64Array,
  places: Float64Array,
): void => {
  const means = groups.map((groupOf) => {
    const sums = new Map<number, [sum: number, count: number]>();
    for (const item of column) {
      const [sum, count] = sums.get(groupOf[item] ?? -1) ?? [0, 0];
      sums.set(groupOf[item] ?? -1, [sum + (keys[item] ?? 0), count + 1]);
    }
    return sums;
  });
  const keyIn = (level: number, item: number): number => {
    const group = groups[level]?.[item] ?? -1;
    const [sum, count] = means[level]?.get(group) ?? [0, 1];
    return group < 0 ? (keys[item] ?? 0) : sum / count;
  };
  column.sort((one, other) => {
    for (const [level, groupOf] of groups.entries()) {
      const difference = keyIn(level, one) - keyIn(level, other);
      const isOther = groupOf[one] !== groupOf[other];
      if (difference !== 0) return difference;
      if (isOther) return (groupOf[one] ?? 0) - (groupOf[other] ?? 0);
    }
    return (keys[one] ?? 0) - (keys[other] ?? 0) || (places[one] ?? 0) - (places[other] ?? 0);
  });
};

/**
 * Orders the items of each column for few crossings. Each item moves to the mean position of
 * its neighbours in the previous column, then in the next one. Groups stay together. Yields
 * between columns.
 */
export function* orderColumns(wiring: Wiring, groups: Groups): Generator<void, Columns> {
  const { from, to, items } = wiring;
  const [outgoing, incoming] = [adjacencyOf(items, from), adjacencyOf(items, to)];
  const order = firstOrder(wiring);
  const places = placesOf(order, items);
  const keys = new Float64Array(items);
  const lastIfLoose = (item: number): number =>
    outgoing.of(item).length + incoming.of(item).length === 0 ? items : 0;
  const arrange = (column: Uint32Array, isForward: boolean): void => {
    const [edges, ends] = isForward ? [incoming, from] : [outgoing, to];
    for (const item of column) {
      const pieces = edges.of(item);
      let sum = 0;
      for (const piece of pieces) sum += places[ends[piece] ?? 0] ?? 0;
      keys[item] =
        pieces.length > 0 ? sum / pieces.length : (places[item] ?? 0) + lastIfLoose(item);
    }
    sortColumn(column, groups, keys, places);
    for (const [place, item] of column.entries()) places[item] = place;
  };
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const isForward of [false, true]) {
      for (const column of isForward ? order : [...order].reverse()) {
        arrange(column, isForward);
        yield;
      }
    }
  }
  return order;
}
