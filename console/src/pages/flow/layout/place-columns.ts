import { adjacencyOf } from '../graph/adjacency.ts';
import type { Columns } from './order-columns.ts';
import { straighten } from './straighten.ts';
import type { Wiring } from './wiring.ts';

/** Around a wire that passes a column, and between boxes. */
const wirePitch = 14;
export const boxGap = 9;
/** Straight wires are worth more than nodes in the middle of what they are connected to. */
const wireWeight = 12;
/** Of what is connected to nothing in the column that counts: it gives way. */
const looseWeight = 0.01;

const rounds = [
  ...(['before', 'behind', 'before', 'behind'] as const),
  ...Array<'both'>(8).fill('both'),
];

/**
 * The places nearest to those wanted that keep their order and distances: a regression, in which
 * neighbours that come too close move as one from then on.
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

/** How far down the middle of each item is. Yields between columns. */
export function* placeColumns(
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
  /** What is connected to nothing stands below everything else. */
  const sinkLoose = (column: Uint32Array, pulls: (readonly [number, number])[]): void => {
    if (!column.some((item) => loose[item])) return;
    let bottom = heights.reduce((most, at, item) => (loose[item] ? most : Math.max(most, at)), 0);
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
