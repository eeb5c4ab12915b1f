import { adjacencyOf } from '../graph/flow-graph.ts';
import type { Columns, Wiring } from './order-columns.ts';

const rounds = 4;

/**
 * Chains of items that could be on one line: a wire through columns, and nodes with one
 * successor that has no other source.
 */
const runsOf = (wiring: Wiring): number[][] => {
  const { from, to, nodes, items } = wiring;
  const [outgoing, incoming] = [adjacencyOf(items, from), adjacencyOf(items, to)];
  const next = new Int32Array(items).fill(-1);
  const hasPrevious = new Uint8Array(items);
  for (let item = 0; item < items; item++) {
    const ends = Array.from(outgoing.of(item), (piece) => to[piece] ?? 0);
    const end = ends.find((each) => each >= nodes) ?? (ends.length === 1 ? ends[0] : undefined);
    if (end === undefined || incoming.of(end).length > 1) continue;
    next[item] = end;
    hasPrevious[end] = 1;
  }
  const runs: number[][] = [];
  for (let item = 0; item < items; item++) {
    if (hasPrevious[item] || next[item] === -1) continue;
    const run = [item];
    for (let at = next[item] ?? -1; at >= 0; at = next[at] ?? -1) run.push(at);
    runs.push(run);
  }
  // Long lines first: their bends are the most visible.
  return runs.sort((one, other) => other.length - one.length);
};

/** Straightens lines where their neighbours leave room. Changes the heights. */
export function* straighten(
  wiring: Wiring,
  order: Columns,
  distance: (upper: number, lower: number) => number,
  heights: Float64Array,
): Generator<void, void> {
  const runs = runsOf(wiring);
  const above = new Int32Array(wiring.items).fill(-1);
  const below = new Int32Array(wiring.items).fill(-1);
  for (const column of order) {
    for (const [place, item] of column.entries()) {
      above[item] = column[place - 1] ?? -1;
      below[item] = column[place + 1] ?? -1;
    }
  }
  const heightAt = (item: number): number => heights[item] ?? 0;
  const roomOf = (item: number): readonly [number, number] => {
    const [upper, lower] = [above[item] ?? -1, below[item] ?? -1];
    return [
      upper < 0 ? Number.NEGATIVE_INFINITY : heightAt(upper) + distance(upper, item),
      lower < 0 ? Number.POSITIVE_INFINITY : heightAt(lower) - distance(item, lower),
    ];
  };
  const level = (run: readonly number[]): void => {
    let [top, bottom, sum] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    for (const item of run) {
      const [upper, lower] = roomOf(item);
      top = Math.max(top, upper);
      bottom = Math.min(bottom, lower);
      sum += heightAt(item);
    }
    if (top > bottom) return;
    const height = Math.min(bottom, Math.max(top, sum / run.length));
    for (const item of run) heights[item] = height;
  };
  for (let round = 0; round < rounds; round++) {
    for (const [number, run] of runs.entries()) {
      level(run);
      if (run.length > 3) level(run.slice(1, -1));
      if (number % 200 === 0) yield;
    }
  }
}
