import type { FlowLayout } from '../layout/flow-layout.ts';

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

/** Which part of the drawing is in sight: a point of it is at `x`, `y` of the window, so many times as large. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const [leastScale, mostScale] = [0.02, 2.5];
/** Text that is smaller than this cannot be read. */
export const legibleScale = 0.5;
/** What is shown at first is at least so large, even if not all of it is in sight. */
const firstScale = 0.62;
/** How much of the drawing stays in the window, however far it is moved. */
const keptInSight = 64;

const clamp = (value: number, least: number, max: number): number =>
  Math.min(max, Math.max(least, value));

/** The nearest view in which some of the drawing is in sight. */
export const kept = ({ x, y, scale }: View, drawing: Size, window: Size): View => ({
  scale,
  x: clamp(x, keptInSight - drawing.width * scale, window.width - keptInSight),
  y: clamp(y, keptInSight - drawing.height * scale, window.height - keptInSight),
});

/** Makes everything larger or smaller around a point of the window. */
export const zoomed = (view: View, factor: number, atX: number, atY: number): View => {
  const scale = clamp(view.scale * factor, leastScale, mostScale);
  const ratio = scale / view.scale;
  return { scale, x: atX - (atX - view.x) * ratio, y: atY - (atY - view.y) * ratio };
};

/** All of a drawing in the middle of the window. */
export const fitted = (drawing: Size, window: Size): View => {
  const scale = clamp(
    Math.min(window.width / drawing.width, window.height / drawing.height),
    leastScale,
    1.25,
  );
  return {
    scale,
    x: (window.width - drawing.width * scale) / 2,
    y: (window.height - drawing.height * scale) / 2,
  };
};

/** All of a drawing, or as much of its beginning as can be read. */
export const firstView = (drawing: Size, window: Size): View => {
  const all = fitted(drawing, window);
  if (all.scale >= firstScale) return all;
  const scale = Math.max(firstScale, Math.min(1, window.width / drawing.width));
  return {
    scale,
    x: Math.max(0, (window.width - drawing.width * scale) / 2),
    y: Math.max(0, (window.height - drawing.height * scale) / 2),
  };
};

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What part of the drawing the window shows, with so many pixels around it. */
export const inSight = ({ x, y, scale }: View, window: Size, around = 0): Box => ({
  left: (-around - x) / scale,
  top: (-around - y) / scale,
  right: (window.width + around - x) / scale,
  bottom: (window.height + around - y) / scale,
});

/** Moves the view as little as it takes to have a box in sight, with some room around it. */
export const revealing = (view: View, box: Box, window: Size, room = 24): View => {
  const shift = (low: number, high: number, size: number): number => {
    if (low < room) return room - low;
    return high > size - room ? Math.max(room - low, size - room - high) : 0;
  };
  const { x, y, scale } = view;
  return {
    scale,
    x: x + shift(box.left * scale + x, box.right * scale + x, window.width),
    y: y + shift(box.top * scale + y, box.bottom * scale + y, window.height),
  };
};
