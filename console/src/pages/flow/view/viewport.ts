import type { FlowLayout } from '../layout/flow-layout.ts';

/** Boxes are created this far outside the view, so that panning shows them immediately. */
const aroundPx = 160;

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

/** Rounded, so that small movements do not change the visible nodes. */
export const roughView = ({ x, y, scale }: View): View => ({
  scale,
  x: Math.round(x / (aroundPx / 2)) * (aroundPx / 2),
  y: Math.round(y / (aroundPx / 2)) * (aroundPx / 2),
});

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

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const [minScale, maxScale] = [0.02, 2.5];
export const legibleScale = 0.5;
const firstScale = 0.62;
const keptInSight = 64;

const clamp = (value: number, least: number, max: number): number =>
  Math.min(max, Math.max(least, value));

export const kept = ({ x, y, scale }: View, drawing: Size, window: Size): View => ({
  scale,
  x: clamp(x, keptInSight - drawing.width * scale, window.width - keptInSight),
  y: clamp(y, keptInSight - drawing.height * scale, window.height - keptInSight),
});

export const zoomed = (view: View, factor: number, atX: number, atY: number): View => {
  const scale = clamp(view.scale * factor, minScale, maxScale);
  const ratio = scale / view.scale;
  return { scale, x: atX - (atX - view.x) * ratio, y: atY - (atY - view.y) * ratio };
};

export const fitted = (drawing: Size, window: Size): View => {
  const scale = clamp(
    Math.min(window.width / drawing.width, window.height / drawing.height),
    minScale,
    1.25,
  );
  return {
    scale,
    x: (window.width - drawing.width * scale) / 2,
    y: (window.height - drawing.height * scale) / 2,
  };
};

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

export const inSight = ({ x, y, scale }: View, window: Size, around = 0): Box => ({
  left: (-around - x) / scale,
  top: (-around - y) / scale,
  right: (window.width + around - x) / scale,
  bottom: (window.height + around - y) / scale,
});

/** Smallest pan that makes a box visible, with a margin. */
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
