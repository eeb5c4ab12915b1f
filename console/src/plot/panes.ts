export const paneModes = ['unit', 'signal', 'one'] as const;
export type PaneMode = (typeof paneModes)[number];
export const axisModes = ['unit', 'signal'] as const;
export type AxisMode = (typeof axisModes)[number];

interface PaneMember {
  readonly key: string;
  readonly name: string;
  readonly look: number;
  readonly unit: string;
  /** True if most values have labels; the signal then gets its own lane. */
  readonly isLabelled: boolean;
}

export interface Axis {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** Colour of its only line; null if lines share it. */
  readonly look: number | null;
  readonly keys: readonly string[];
}

export interface Pane {
  readonly id: string;
  readonly kind: 'numbers' | 'labels';
  readonly axes: readonly Axis[];
  readonly keys: readonly string[];
}

interface Draft extends Pane {
  readonly axes: (Axis & { look: number | null; keys: string[] })[];
  readonly keys: string[];
}

const paneIdOf = ({ key, unit, isLabelled }: PaneMember, mode: PaneMode): string => {
  if (isLabelled || mode === 'signal') return key;
  if (mode === 'one') return 'one';
  return unit === '' ? key : `unit ${unit}`;
};

const addTo = (pane: Draft, { key, name, look, unit }: PaneMember, mode: AxisMode): void => {
  const isShared = mode === 'unit' && unit !== '' && pane.kind === 'numbers';
  const id = JSON.stringify([pane.id, isShared ? unit : key]);
  const axis = pane.axes.find((each) => each.id === id);
  pane.keys.push(key);
  if (axis) {
    axis.keys.push(key);
    axis.look = null;
  } else pane.axes.push({ id, title: isShared ? unit : name, unit, look, keys: [key] });
};

/**
 * Panes from top to bottom, and their axes from right to left. Signals of one unit can share a
 * pane or an axis; those without a unit do not. Lanes with labels are at the bottom.
 */
export const panesOf = (
  members: readonly PaneMember[],
  mode: PaneMode,
  axisMode: AxisMode,
): Pane[] => {
  const panes = new Map<string, Draft>();
  for (const member of members) {
    const id = paneIdOf(member, mode);
    const kind = member.isLabelled ? 'labels' : 'numbers';
    const pane = panes.get(id) ?? { id, kind, axes: [], keys: [] };
    addTo(pane, member, axisMode);
    panes.set(id, pane);
  }
  const all = [...panes.values()];
  return [
    ...all.filter(({ kind }) => kind === 'numbers'),
    ...all.filter(({ kind }) => kind === 'labels'),
  ];
};

/** Further axes of a pane have a scale, but no room to be drawn. */
const maxDrawnAxes = 4;

export const drawnAxes = ({ axes }: Pane): readonly Axis[] => axes.slice(0, maxDrawnAxes);

/** Index of the axis of a signal. */
export const axisOf = ({ axes }: Pane, key: string): number =>
  axes.findIndex(({ keys }) => keys.includes(key));

const laneHeight = 60;
const minHeight = 80;
export const timeAxisHeight = 24;
export const headHeight = 20;
export const axisWidth = 64;

/** Heights without the lines between panes: lanes are fixed, the others share the rest. */
export const paneHeights = (panes: readonly Pane[], available: number): number[] => {
  const lanes = panes.filter(({ kind }) => kind === 'labels').length;
  const rules = Math.max(0, panes.length - 1);
  const rest = available - timeAxisHeight - lanes * laneHeight - rules;
  const each = Math.max(minHeight, Math.floor(rest / Math.max(1, panes.length - lanes)));
  return panes.map(({ kind }, index) => {
    const height = kind === 'labels' ? laneHeight : each;
    return index === panes.length - 1 ? height + timeAxisHeight : height;
  });
};

/** Dash patterns by position in the pane, because colour alone is not enough. */
export const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

export const dashOf = (panes: readonly Pane[], key: string): readonly number[] => {
  for (const { keys } of panes) {
    const at = keys.indexOf(key);
    if (at >= 0) return dashes[at % dashes.length] ?? [];
  }
  return [];
};
