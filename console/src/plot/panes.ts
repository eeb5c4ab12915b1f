export const paneModes = ['unit', 'signal'] as const;
export type PaneMode = (typeof paneModes)[number];

interface PaneMember {
  readonly key: string;
  readonly unit: string;
  /** True if most values have labels; the signal then gets its own lane. */
  readonly isLabelled: boolean;
}

export interface Pane {
  readonly id: string;
  readonly kind: 'numbers' | 'labels';
  readonly unit: string;
  readonly keys: readonly string[];
}

/**
 * Panes from top to bottom. Signals of one unit share an axis; those without a unit do not.
 * Lanes with labels are at the bottom.
 */
export const panesOf = (members: readonly PaneMember[], mode: PaneMode): Pane[] => {
  const panes = new Map<string, Pane & { keys: string[] }>();
  for (const { key, unit, isLabelled } of members) {
    const shares = mode === 'unit' && !isLabelled && unit !== '';
    const id = shares ? `unit ${unit}` : key;
    const kind = isLabelled ? 'labels' : 'numbers';
    const pane = panes.get(id) ?? { id, kind, unit, keys: [] };
    pane.keys.push(key);
    panes.set(id, pane);
  }
  const all = [...panes.values()];
  return [
    ...all.filter(({ kind }) => kind === 'numbers'),
    ...all.filter(({ kind }) => kind === 'labels'),
  ];
};

const laneHeight = 60;
const minHeight = 80;
export const timeAxisHeight = 24;

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
