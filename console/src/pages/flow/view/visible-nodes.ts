import type { FlowLayout } from '../layout/flow-layout.ts';
import { inSight, legibleScale, type Size, type View } from './viewport.ts';

/** Boxes come into being this far out of sight: those that a small movement shows are there already. */
const aroundPx = 160;

/** The shown nodes whose boxes are in sight and large enough to be read. */
export const visibleNodes = (layout: FlowLayout, view: View, window: Size): number[] => {
  if (view.scale < legibleScale) return [];
  const { left, right, top, bottom } = inSight(view, window, aroundPx);
  const found: number[] = [];
  for (const column of layout.columns) {
    if (column.left > right || column.left + column.boxWidth < left) continue;
    for (const item of column.items) {
      const y = layout.heights[item] ?? 0;
      if (item < layout.wiring.nodes && y >= top && y <= bottom) found.push(item);
    }
  }
  return found;
};

/** The view as far as it matters for which nodes are in sight: the same for small movements. */
export const roughView = ({ x, y, scale }: View): View => ({
  scale,
  x: Math.round(x / (aroundPx / 2)) * (aroundPx / 2),
  y: Math.round(y / (aroundPx / 2)) * (aroundPx / 2),
});

/** The node beside another in a direction: along its edges, or above and below it in its column. */
export const neighbourOf = (
  { shown, columns, wiring, heights }: FlowLayout,
  node: number,
  direction: 'left' | 'right' | 'up' | 'down',
): number => {
  if (direction === 'left' || direction === 'right') {
    const edges = direction === 'left' ? shown.incoming.of(node) : shown.outgoing.of(node);
    const ends = direction === 'left' ? shown.sources : shown.targets;
    const far = (end: number): number => Math.abs((heights[end] ?? 0) - (heights[node] ?? 0));
    const [nearest] = Array.from(edges, (edge) => ends[edge] ?? 0).sort(
      (one, other) => far(one) - far(other),
    );
    return nearest ?? node;
  }
  const column = columns[wiring.columns[node] ?? 0];
  const nodes = [...(column?.items ?? [])].filter((item) => item < wiring.nodes);
  return nodes[nodes.indexOf(node) + (direction === 'up' ? -1 : 1)] ?? node;
};
