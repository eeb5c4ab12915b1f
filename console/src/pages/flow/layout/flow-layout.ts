import type { FlowGraph, FlowKind } from '../graph/flow-graph.ts';
import type { ShownGraph } from '../graph/shown-graph.ts';
import { columnsOf } from './columns.ts';
import { type Columns, type Groups, orderColumns } from './order-columns.ts';
import { boxGap, placeColumns } from './place-columns.ts';
import { type Wiring, wiringOf } from './wiring.ts';

/** Behind the name of a signal its wire goes on straight, and has its value on it. */
export const valueLength = 92;
const margin = 12;
/** Between two columns; more where many wires cross. */
const [leastGap, mostGap, gapPerPiece] = [30, 64, 0.8];

/** How large the box of a shown node is. */
export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

export interface FlowColumn {
  readonly left: number;
  readonly width: number;
  /** How wide the boxes in it are; a signal's wire takes the rest. */
  readonly boxWidth: number;
  readonly kinds: readonly FlowKind[];
  /** Items from top to bottom. */
  readonly items: Uint32Array;
}

/** Where everything is drawn, in pixels at full size; the upper left corner is 0, 0. */
export interface FlowLayout {
  readonly shown: ShownGraph;
  readonly wiring: Wiring;
  readonly columns: readonly FlowColumn[];
  /** Of the middle of each item. */
  readonly heights: Float64Array;
  /** How high each box is. */
  readonly boxHeights: Float64Array;
  readonly width: number;
  readonly height: number;
}

const gapsOf = (wiring: Wiring, order: Columns): number[] => {
  const pieces = order.map(() => 0);
  for (const item of wiring.from) {
    const column = wiring.columns[item] ?? 0;
    pieces[column] = (pieces[column] ?? 0) + 1;
  }
  return pieces.map((count) => Math.min(mostGap, leastGap + count * gapPerPiece));
};

/**
 * Signals of one message stay together, and so do messages of one endpoint. For those that come from one
 * node the group is that one, and for rows that are sent the one that they go to.
 */
const groupsOf = ({ nodes }: FlowGraph, shown: ShownGraph, { items }: Wiring): Groups => {
  const inner = new Int32Array(items).fill(-1);
  const isReceived = (at: number | undefined): boolean =>
    nodes[shown.nodes[at ?? 0] ?? 0]?.side === 'in';
  for (const [at, node] of shown.nodes.entries()) {
    const incoming = shown.incoming.of(at);
    const outgoing = shown.outgoing.of(at);
    const [source, target] = [shown.sources[incoming[0] ?? 0], shown.targets[outgoing[0] ?? 0]];
    if (incoming.length === 1 && isReceived(source)) inner[at] = source ?? -1;
    else if (nodes[node]?.side === 'out' && outgoing.length === 1) inner[at] = target ?? -1;
  }
  const outer = inner.map((group) => (group < 0 ? -1 : (inner[group] ?? -1)));
  return [outer, inner];
};

/**
 * Lays out what is shown of a graph: in columns from left to right, with few crossings and straight wires. The
 * same graph always gives the same picture. Yields often, so that a caller can spread the work.
 */
export function* layFlowOut(
  graph: FlowGraph,
  shown: ShownGraph,
  sizeOf: (node: number) => BoxSize,
): Generator<void, FlowLayout> {
  const wiring = wiringOf(shown, columnsOf(graph, shown));
  yield;
  const sizes = Array.from(shown.nodes, (_, node) => sizeOf(node));
  const boxHeights = Float64Array.from(sizes, ({ height }) => height);
  const order = yield* orderColumns(wiring, groupsOf(graph, shown, wiring));
  const places = yield* placeColumns(wiring, order, (node) => boxHeights[node] ?? 0);
  const reach = (item: number): number => ((boxHeights[item] ?? 0) + boxGap) / 2;
  const top = places.reduce((least, place, item) => Math.min(least, place - reach(item)), 0);
  const heights = places.map((place) => place - top + margin);
  const gaps = gapsOf(wiring, order);
  let left = margin;
  const columns = order.map((items, number): FlowColumn => {
    const nodes = [...items].filter((item) => item < wiring.nodes);
    const rows = nodes.map((node) => graph.nodes[shown.nodes[node] ?? 0]);
    const kinds = [...new Set(rows.map((row) => row?.kind ?? 'mapping'))];
    const box = nodes.reduce((most, node) => Math.max(most, sizes[node]?.width ?? 0), 0);
    const width = box + (kinds.includes('signal') ? valueLength : 0);
    const column = { left, width, boxWidth: box, kinds, items };
    left += width + (gaps[number] ?? 0);
    return column;
  });
  const last = columns.at(-1);
  return {
    shown,
    wiring,
    columns,
    heights,
    boxHeights,
    width: (last ? last.left + last.width : 0) + margin,
    height: heights.reduce((most, at, item) => Math.max(most, at + reach(item)), 0) + margin,
  };
}
