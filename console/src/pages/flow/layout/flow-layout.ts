import type { FlowGraph, FlowKind } from '../graph/flow-graph.ts';
import type { ShownGraph } from '../graph/shown-graph.ts';
import { columnsOf } from './columns.ts';
import { type Columns, orderColumns } from './order-columns.ts';
import { nodePitch, placeColumns } from './place-columns.ts';
import { type Wiring, wiringOf } from './wiring.ts';

export const nodeHeight = 24;
/** Behind the name of a signal its wire goes on straight, and has its value on it. */
export const valueLength = 104;
const margin = 16;
/** Between two columns; more where many wires cross. */
const [leastGap, mostGap, gapPerPiece] = [40, 96, 1.2];

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
 * Lays out what is shown of a graph: in columns from left to right, with few crossings and straight wires. The
 * same graph always gives the same picture. Yields often, so that a caller can spread the work.
 */
export function* layFlowOut(
  graph: FlowGraph,
  shown: ShownGraph,
  boxWidth: (node: number) => number,
): Generator<void, FlowLayout> {
  const wiring = wiringOf(shown, columnsOf(graph, shown));
  yield;
  const order = yield* orderColumns(wiring);
  const places = yield* placeColumns(wiring, order);
  const top = places.reduce((least, place) => Math.min(least, place), 0);
  const heights = places.map((place) => place - top + margin + nodePitch / 2);
  const gaps = gapsOf(wiring, order);
  let left = margin;
  const columns = order.map((items, number): FlowColumn => {
    const nodes = [...items].filter((item) => item < wiring.nodes);
    const rows = nodes.map((node) => graph.nodes[shown.nodes[node] ?? 0]);
    const kinds = [...new Set(rows.map((row) => row?.kind ?? 'mapping'))];
    const box = nodes.reduce((most, node) => Math.max(most, boxWidth(node)), 0);
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
    width: (last ? last.left + last.width : 0) + margin,
    height: heights.reduce((most, at) => Math.max(most, at), 0) + margin + nodePitch / 2,
  };
}
