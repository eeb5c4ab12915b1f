import type { FlowGraph, FlowKind, FlowNode } from '../graph/flow-graph.ts';
import type { ShownGraph } from '../graph/shown-graph.ts';

/** Where rows stand that have nothing to compute: their places do not depend on the edges. */
const stages = { in: { endpoint: 0, pdu: 2 }, out: { pdu: 0, task: 2, endpoint: 3 } } as const;
const carrierStage = 1;
/** Columns before the first signals; what is computed follows, and then what is sent. */
const firstLevel = 3;

const wireStage = ({ side, kind, message }: FlowNode): number => {
  if (side === 'in') return (stages.in as Partial<Record<FlowKind, number>>)[kind] ?? carrierStage;
  // A message and its task are one node, in line with the registers.
  if (message !== null) return carrierStage;
  return (stages.out as Partial<Record<FlowKind, number>>)[kind] ?? carrierStage;
};

/**
 * How many steps of computing lie before each node in between: signals have even levels and what computes
 * them odd ones. An edge that leads back to where it came from does not count.
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

/** The column of every shown node, counted from the left; none is empty. */
export const columnsOf = (graph: FlowGraph, shown: ShownGraph): Uint32Array => {
  const rows = [...shown.nodes].map((node) => graph.nodes[node]);
  // What stands for all in between is a step of computing like any other.
  const isBetween = rows.map((row) => row === undefined || row.side === 'between');
  const isSignal = rows.map((row) => row?.kind === 'signal');
  const levels = levelsOf(shown, isBetween, isSignal);
  const firstOut = firstLevel + levels.reduce((most, level) => Math.max(most, level), 0) + 1;
  const places = rows.map((row, node) => {
    if (!row || isBetween[node]) return firstLevel + (levels[node] ?? 0);
    return wireStage(row) + (row.side === 'in' ? 0 : firstOut);
  });
  const used = [...new Set(places)].sort((one, other) => one - other);
  const numbers = new Map(used.map((place, number) => [place, number]));
  return Uint32Array.from(places, (place) => numbers.get(place) ?? 0);
};
