import { adjacencyOf, type FlowGraph, type FlowKind, type FlowNode } from '../graph/flow-graph.ts';
import type { ShownGraph } from '../graph/shown-graph.ts';
import { type Columns, type Groups, orderColumns, type Wiring, wiringOf } from './order-columns.ts';
import { straighten } from './straighten.ts';

const wirePitch = 14;

const boxGap = 9;

const wireWeight = 12;

/** Weight of unconnected items, which yield to others. */
const looseWeight = 0.01;

const rounds = [
  ...(['before', 'behind', 'before', 'behind'] as const),
  ...Array<'both'>(8).fill('both'),
];

/**
 * Isotonic regression: the positions nearest to the desired ones that keep order and distances.
 * Neighbours that are too close move as one block.
 */
export const spreadOut = (
  wanted: ArrayLike<number>,
  weights: ArrayLike<number>,
  distances: ArrayLike<number>,
): Float64Array => {
  const count = wanted.length;
  const means = new Float64Array(count);
  const masses = new Float64Array(count);
  const sizes = new Uint32Array(count);
  let blocks = 0;
  let offset = 0;
  for (let at = 0; at < count; at++) {
    offset += at === 0 ? 0 : (distances[at - 1] ?? 0);
    means[blocks] = (wanted[at] ?? 0) - offset;
    masses[blocks] = weights[at] ?? 1;
    sizes[blocks] = 1;
    blocks++;
    while (blocks > 1 && (means[blocks - 2] ?? 0) > (means[blocks - 1] ?? 0)) {
      const [upper, lower] = [blocks - 2, blocks - 1];
      const mass = (masses[upper] ?? 0) + (masses[lower] ?? 0);
      means[upper] =
        ((means[upper] ?? 0) * (masses[upper] ?? 0) + (means[lower] ?? 0) * (masses[lower] ?? 0)) /
        mass;
      masses[upper] = mass;
      sizes[upper] = (sizes[upper] ?? 0) + (sizes[lower] ?? 0);
      blocks--;
    }
  }
  const places = new Float64Array(count);
  let at = 0;
  offset = 0;
  for (let block = 0; block < blocks; block++) {
    for (let member = 0; member < (sizes[block] ?? 0); member++, at++) {
      offset += at === 0 ? 0 : (distances[at - 1] ?? 0);
      places[at] = (means[block] ?? 0) + offset;
    }
  }
  return places;
};

function* placeColumns(
  wiring: Wiring,
  order: Columns,
  boxHeight: (node: number) => number,
): Generator<void, Float64Array> {
  const { from, to, nodes, items } = wiring;
  const [outgoing, incoming] = [adjacencyOf(items, from), adjacencyOf(items, to)];
  const pitch = (item: number): number => (item < nodes ? boxHeight(item) + boxGap : wirePitch);
  const heights = new Float64Array(items);
  const distances = order.map((column) =>
    Float64Array.from(column.subarray(1), (item, at) => (pitch(item) + pitch(column[at] ?? 0)) / 2),
  );
  for (const [number, column] of order.entries()) {
    const wanted = new Float64Array(column.length);
    const placed = spreadOut(
      wanted,
      wanted.map(() => 1),
      distances[number] ?? [],
    );
    for (const [at, item] of column.entries()) heights[item] = placed[at] ?? 0;
  }
  const pull = (item: number, pass: (typeof rounds)[number]): readonly [number, number] => {
    let sum = 0;
    let weight = 0;
    const add = (other: number): void => {
      const each = item >= nodes && other >= nodes ? wireWeight : 1;
      sum += each * (heights[other] ?? 0);
      weight += each;
    };
    if (pass !== 'behind') for (const piece of incoming.of(item)) add(from[piece] ?? 0);
    if (pass !== 'before') for (const piece of outgoing.of(item)) add(to[piece] ?? 0);
    return weight > 0 ? [sum / weight, weight] : [heights[item] ?? 0, looseWeight];
  };
  const loose = Uint8Array.from({ length: items }, (_, item) =>
    Number(outgoing.of(item).length + incoming.of(item).length === 0),
  );
  const sinkLoose = (column: Uint32Array, pulls: (readonly [number, number])[]): void => {
    if (!column.some((item) => loose[item])) return;
    let bottom = heights.reduce((max, at, item) => (loose[item] ? max : Math.max(max, at)), 0);
    for (const [at, item] of column.entries()) {
      if (!loose[item]) continue;
      bottom += pitch(item);
      pulls[at] = [bottom, looseWeight];
    }
  };
  for (const pass of rounds) {
    const numbers = [...order.keys()];
    for (const number of pass === 'behind' ? numbers.reverse() : numbers) {
      const column = order[number] ?? new Uint32Array();
      const pulls = Array.from(column, (item) => pull(item, pass));
      sinkLoose(column, pulls);
      const placed = spreadOut(
        pulls.map(([wanted]) => wanted),
        pulls.map(([, weight]) => weight),
        distances[number] ?? [],
      );
      for (const [at, item] of column.entries()) heights[item] = placed[at] ?? 0;
      yield;
    }
  }
  const distance = (upper: number, lower: number): number => (pitch(upper) + pitch(lower)) / 2;
  yield* straighten(wiring, order, distance, heights);
  return heights;
}

/** Columns of received and sent rows, which do not depend on the edges. */
const stages = { in: { endpoint: 0, pdu: 2 }, out: { pdu: 0, task: 2, endpoint: 3 } } as const;

const carrierStage = 1;

const firstLevel = 3;

const wireStage = ({ side, kind, message }: FlowNode): number => {
  if (side === 'in') return (stages.in as Partial<Record<FlowKind, number>>)[kind] ?? carrierStage;
  if (message !== null) return carrierStage;
  return (stages.out as Partial<Record<FlowKind, number>>)[kind] ?? carrierStage;
};

/**
 * Number of computing steps before each computed node: signals have even levels, mappings odd
 * ones. Back edges do not count.
 */
const levelsOf = (
  { sources, incoming }: ShownGraph,
  isBetween: readonly boolean[],
  isSignal: readonly boolean[],
): Int32Array => {
  const levels = new Int32Array(isBetween.length).fill(-1);
  const isOpen = new Uint8Array(isBetween.length);
  const sourcesOf = (node: number): number[] =>
    [...incoming.of(node)].map((edge) => sources[edge] ?? 0).filter((source) => isBetween[source]);
  for (const start of isBetween.keys()) {
    const open = isBetween[start] ? [start] : [];
    while (open.length > 0) {
      const node = open.at(-1) as number;
      const before = sourcesOf(node);
      const awaited = before.filter((source) => levels[source] === -1 && !isOpen[source]);
      if (!isOpen[node] && awaited.length > 0) {
        isOpen[node] = 1;
        open.push(...awaited);
        continue;
      }
      open.pop();
      if (levels[node] !== -1) continue;
      const least = Math.max(-1, ...before.map((source) => levels[source] ?? -1)) + 1;
      levels[node] = least + ((least % 2 === 0) === isSignal[node] ? 0 : 1);
    }
  }
  return levels;
};

export const columnsOf = (graph: FlowGraph, shown: ShownGraph): Uint32Array => {
  const rows = [...shown.nodes].map((node) => graph.nodes[node]);
  // The node for all collapsed mappings counts as one computing step.
  const isBetween = rows.map((row) => row === undefined || row.side === 'between');
  const isSignal = rows.map((row) => row?.kind === 'signal');
  const levels = levelsOf(shown, isBetween, isSignal);
  const firstOut = firstLevel + levels.reduce((max, level) => Math.max(max, level), 0) + 1;
  const places = rows.map((row, node) => {
    if (!row || isBetween[node]) return firstLevel + (levels[node] ?? 0);
    return wireStage(row) + (row.side === 'in' ? 0 : firstOut);
  });
  const used = [...new Set(places)].sort((one, other) => one - other);
  const numbers = new Map(used.map((place, number) => [place, number]));
  return Uint32Array.from(places, (place) => numbers.get(place) ?? 0);
};

export const valueLength = 92;
const margin = 12;
const [minGap, maxGap, gapPerPiece] = [30, 64, 0.8];

export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

interface FlowColumn {
  readonly left: number;
  readonly width: number;
  readonly boxWidth: number;
  readonly kinds: readonly FlowKind[];
  readonly items: Uint32Array;
}

export interface FlowLayout {
  readonly shown: ShownGraph;
  readonly wiring: Wiring;
  readonly columns: readonly FlowColumn[];
  readonly heights: Float64Array;
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
  return pieces.map((count) => Math.min(maxGap, minGap + count * gapPerPiece));
};

/**
 * Groups to keep together: signals of one message, and messages of one endpoint. Nodes with one
 * source are grouped by it, sent rows by their target.
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
 * Lays out a graph in columns with few crossings and straight wires. Deterministic. Yields
 * often, so that a caller can spread the work.
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
    const box = nodes.reduce((max, node) => Math.max(max, sizes[node]?.width ?? 0), 0);
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
    height: heights.reduce((max, at, item) => Math.max(max, at + reach(item)), 0) + margin,
  };
}
