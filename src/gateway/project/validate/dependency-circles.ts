import type { TableName } from '../fields.ts';
import { circleText, findCircles } from './circles.ts';
import type { ProjectLinks } from './project-links.ts';

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
