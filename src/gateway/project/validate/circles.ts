import type { TableName } from '../fields.ts';
import { type ProjectLinks, quoted } from './project-links.ts';

const mostNamed = 10;

/** A circle in words: `"a" → "b" → "a"`. */
export const circleText = (ids: readonly string[]): string => {
  const named = ids.slice(0, mostNamed).map(quoted);
  if (ids.length > mostNamed) named.push('…');
  return [...named, quoted(ids[0] ?? '')].join(' → ');
};

/**
 * Circles in a graph: one of each group of nodes that lead back to themselves (Tarjan's strongly
 * connected components), as nodes in the order in which they are met. Takes time in proportion to
 * nodes and edges, and no stack: a chain may be as long as the project.
 */
export const findCircles = (edges: readonly (readonly number[])[]): number[][] => {
  const order = new Int32Array(edges.length).fill(-1);
  const lowest = new Int32Array(edges.length);
  const groupOf = new Int32Array(edges.length).fill(-1);
  const nextEdge = new Int32Array(edges.length);
  const open: number[] = [];
  const path: number[] = [];
  const circles: number[][] = [];
  let count = 0;
  let groups = 0;

  const enter = (node: number): void => {
    order[node] = count;
    lowest[node] = count;
    count += 1;
    open.push(node);
    path.push(node);
  };
  const lower = (node: number, to: number): void => {
    if (to < (lowest[node] as number)) lowest[node] = to;
  };
  const close = (root: number): void => {
    let size = 0;
    for (let node = -1; node !== root; size += 1) {
      node = open.pop() as number;
      groupOf[node] = groups;
    }
    if (size > 1 || edges[root]?.includes(root)) circles.push(circleFrom(root, edges, groupOf));
    groups += 1;
  };

  for (let start = 0; start < edges.length; start += 1) {
    if (order[start] !== -1) continue;
    enter(start);
    while (path.length > 0) {
      const node = path.at(-1) as number;
      const next = edges[node]?.[nextEdge[node] as number];
      if (next === undefined) {
        path.pop();
        const parent = path.at(-1);
        if (parent !== undefined) lower(parent, lowest[node] as number);
        if (lowest[node] === order[node]) close(node);
        continue;
      }
      nextEdge[node] = (nextEdge[node] as number) + 1;
      if (order[next] === -1) enter(next);
      else if (groupOf[next] === -1) lower(node, order[next] as number);
    }
  }
  return circles;
};

/** Walks inside a group, in which every node leads on, until it comes back to where it was. */
const circleFrom = (
  root: number,
  edges: readonly (readonly number[])[],
  groupOf: Int32Array,
): number[] => {
  const places = new Map<number, number>();
  const walk: number[] = [];
  let node = root;
  while (!places.has(node)) {
    places.set(node, walk.length);
    walk.push(node);
    node = edges[node]?.find((next) => groupOf[next] === groupOf[root]) ?? root;
  }
  return walk.slice(places.get(node));
};

/** What computes signals from others as soon as these change. */
interface Step {
  readonly table: TableName & ('mappings' | 'plugins');
  readonly index: number;
  readonly id: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** A processor that runs by its period reads what is there: it closes no circle. */
const stepsOf = (links: ProjectLinks): Step[] => {
  const { mappings, plugins } = links.draft.tables;
  const steps: Step[] = mappings.rows.map(({ id, inputs, outputs }, index) => {
    return { table: 'mappings', index, id, inputs, outputs };
  });
  plugins.rows.forEach(({ id, kind, trigger, inputs = [], outputs = [] }, index) => {
    if (kind !== 'processor' || trigger === 'period') return;
    steps.push({ table: 'plugins', index, id, inputs, outputs });
  });
  return steps;
};

/** Signals must not depend on themselves. */
export const checkDependencyCircles = (links: ProjectLinks): void => {
  const steps = stepsOf(links);
  const writerOf = new Map<string, number>();
  steps.forEach(({ outputs }, step) => {
    for (const id of outputs) if (!writerOf.has(id)) writerOf.set(id, step);
  });
  const edges = steps.map(({ inputs }) =>
    inputs.flatMap((id) => {
      const writer = writerOf.get(id);
      return writer === undefined ? [] : [writer];
    }),
  );
  for (const circle of findCircles(edges)) {
    // As the values go, from the first of them in the file on.
    const forward = circle.reverse();
    const lowest = forward.indexOf(forward.reduce((least, node) => Math.min(least, node)));
    const inOrder = [...forward.slice(lowest), ...forward.slice(0, lowest)].map(
      (node) => steps[node] as Step,
    );
    const [first] = inOrder;
    if (first === undefined) continue;
    const flaw = `go round in a circle: ${circleText(inOrder.map(({ id }) => id))}; a signal cannot depend on itself`;
    links.draft.report(first.table, first.index, 'inputs', 'circular', flaw);
  }
};
