import type { TableName } from '../table-names.ts';
import { type ProjectLinks, quoted } from './project-links.ts';

const maxNamed = 10;

/** Describes a cycle: `"a" → "b" → "a"`. */
export const circleText = (ids: readonly string[]): string => {
  const named = ids.slice(0, maxNamed).map(quoted);
  if (ids.length > maxNamed) named.push('…');
  return [...named, quoted(ids[0] ?? '')].join(' → ');
};

/**
 * Returns one cycle for each of Tarjan's strongly connected components. Linear in nodes and
 * edges. Not recursive, because a chain can be as long as the project.
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

/** Walks inside a component until it reaches a node again. */
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

/** A mapping or processor that runs when its inputs change. */
interface Step {
  readonly table: TableName & ('mappings' | 'plugins');
  readonly index: number;
  readonly id: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** A periodic processor reads current values and closes no cycle. */
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

export const checkDependencyCycles = (links: ProjectLinks): void => {
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
    // In the direction of values, from the first node in the file.
    const forward = circle.reverse();
    const lowest = forward.indexOf(forward.reduce((least, node) => Math.min(least, node)));
    const inOrder = [...forward.slice(lowest), ...forward.slice(0, lowest)].map(
      (node) => steps[node] as Step,
    );
    const [first] = inOrder;
    if (first === undefined) continue;
    const error = `form a cycle: ${circleText(inOrder.map(({ id }) => id))}; a signal cannot depend on itself`;
    links.draft.report(first.table, first.index, 'inputs', 'circular', error);
  }
};
