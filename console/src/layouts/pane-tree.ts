/**
 * Panes of a window, as a tree of splits:
 *
 *     columns, at 0.6     ┌─────────┬──────┐
 *     ├─ trace            │ trace   │ plot │
 *     └─ rows, at 0.5     │         ├──────┤
 *        ├─ plot          │         │ send │
 *        └─ send          └─────────┴──────┘
 *
 * A part of the tree is addressed by its path: `0` for each first part, `1` for each second one.
 */
export type PaneTree<View extends string = string> = Leaf<View> | Split<View>;

interface Leaf<View extends string> {
  readonly show: View;
}

export const splits = ['columns', 'rows'] as const;
export type Direction = (typeof splits)[number];

interface Split<View extends string> {
  readonly show: Direction;
  /** Share of the first part. */
  readonly at: number;
  readonly first: PaneTree<View>;
  readonly second: PaneTree<View>;
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedPane<View extends string> {
  readonly view: View;
  readonly rect: Rect;
}

/** The bar between the parts of a split. */
export interface PlacedBar {
  readonly path: string;
  readonly split: Direction;
  readonly rect: Rect;
  /** Extent of both parts and the bar, from which the position of the pointer is a share. */
  readonly from: number;
  readonly extent: number;
  readonly at: number;
  readonly least: number;
  readonly most: number;
}

export interface Placement<View extends string> {
  readonly panes: readonly PlacedPane<View>[];
  readonly bars: readonly PlacedBar[];
}

export interface PaneMeasures {
  readonly bar: number;
  readonly minWidth: number;
  readonly minHeight: number;
}

export const isSplit = <View extends string>(tree: PaneTree<View>): tree is Split<View> =>
  'first' in tree;

export const viewsOf = <View extends string>(tree: PaneTree<View>): readonly View[] =>
  isSplit(tree) ? [...viewsOf(tree.first), ...viewsOf(tree.second)] : [tree.show];

const changed = <View extends string>(
  tree: PaneTree<View>,
  isWanted: (part: PaneTree<View>, path: string) => boolean,
  change: (part: PaneTree<View>) => PaneTree<View>,
  path = '',
): PaneTree<View> => {
  if (isWanted(tree, path)) return change(tree);
  if (!isSplit(tree)) return tree;
  const first = changed(tree.first, isWanted, change, `${path}0`);
  const second = changed(tree.second, isWanted, change, `${path}1`);
  return first === tree.first && second === tree.second ? tree : { ...tree, first, second };
};

const isPaneOf = (view: string) => (part: PaneTree) => !isSplit(part) && part.show === view;

/** Divides the pane of a view; the added one is at the right or below. */
export const splitPane = <View extends string>(
  tree: PaneTree<View>,
  view: View,
  show: Direction,
  added: View,
): PaneTree<View> =>
  changed(tree, isPaneOf(view), (first) => ({ show, at: 0.5, first, second: { show: added } }));

/** The other part of the split takes the room. The last pane stays. */
export const closePane = <View extends string>(
  tree: PaneTree<View>,
  view: View,
): PaneTree<View> => {
  if (!isSplit(tree)) return tree;
  if (isPaneOf(view)(tree.first)) return tree.second;
  if (isPaneOf(view)(tree.second)) return tree.first;
  const first = closePane(tree.first, view);
  const second = closePane(tree.second, view);
  return first === tree.first && second === tree.second ? tree : { ...tree, first, second };
};

/** Shows another view in a pane. A pane that shows what cannot be shown twice gets the view of the first. */
export const chooseView = <View extends string>(
  tree: PaneTree<View>,
  view: View,
  chosen: View,
  instead: View = chosen,
): PaneTree<View> =>
  changed(
    tree,
    (part) => isPaneOf(view)(part) || isPaneOf(instead)(part),
    (part) => ({ show: isPaneOf(view)(part) ? chosen : view }),
  );

export const resizeSplit = <View extends string>(
  tree: PaneTree<View>,
  path: string,
  at: number,
): PaneTree<View> =>
  changed(
    tree,
    (part, where) => where === path && isSplit(part),
    (part) => ({ ...part, at: Math.round(at * 1000) / 1000 }),
  );

const sides = {
  columns: { start: 'left', size: 'width', least: 'minWidth' },
  rows: { start: 'top', size: 'height', least: 'minHeight' },
} as const;

/** Room that the panes of a tree need in a direction. */
const needOf = (tree: PaneTree, direction: Direction, measures: PaneMeasures): number => {
  if (!isSplit(tree)) return measures[sides[direction].least];
  const first = needOf(tree.first, direction, measures);
  const second = needOf(tree.second, direction, measures);
  return tree.show === direction ? first + measures.bar + second : Math.max(first, second);
};

/** Places the panes in a rectangle. A pane smaller than its minimum takes room from its neighbour. */
export const placePanes = <View extends string>(
  tree: PaneTree<View>,
  rect: Rect,
  measures: PaneMeasures,
  path = '',
): Placement<View> => {
  if (!isSplit(tree)) return { panes: [{ view: tree.show, rect }], bars: [] };
  const split = tree.show;
  const { start, size } = sides[split];
  const extent = Math.max(1, rect[size] - measures.bar);
  const first = needOf(tree.first, split, measures);
  const second = needOf(tree.second, split, measures);
  // Without room for both minimums, both shrink in proportion.
  const fits = first + second <= extent;
  const least = fits ? first / extent : first / (first + second);
  const most = fits ? 1 - second / extent : least;
  const at = Math.min(Math.max(tree.at, least), most);
  const length = Math.round(extent * at);
  const from = rect[start];
  const parts = [
    placePanes(tree.first, { ...rect, [size]: length }, measures, `${path}0`),
    placePanes(
      tree.second,
      { ...rect, [start]: from + length + measures.bar, [size]: extent - length },
      measures,
      `${path}1`,
    ),
  ];
  const bar: PlacedBar = {
    ...{ path, split, from, extent, at, least, most },
    rect: { ...rect, [start]: from + length, [size]: measures.bar },
  };
  return {
    panes: parts.flatMap(({ panes }) => panes),
    bars: [bar, ...parts.flatMap(({ bars }) => bars)],
  };
};

/** Places the panes below each other, in a window that is too narrow for columns. */
export const stackPanes = <View extends string>(
  tree: PaneTree<View>,
  { left, top, width }: Rect,
  { bar, height }: { readonly bar: number; readonly height: number },
): Placement<View> => ({
  panes: viewsOf(tree).map((view, at) => ({
    view,
    rect: { left, top: top + at * (height + bar), width, height },
  })),
  bars: [],
});

const keySteps: Readonly<Record<Direction, Readonly<Record<string, number>>>> = {
  columns: { ArrowLeft: -1, ArrowRight: 1 },
  rows: { ArrowUp: -1, ArrowDown: 1 },
};

/** Share to which a key moves a bar; null for other keys. */
export const shareByKey = (
  { split, at, least, most }: Pick<PlacedBar, 'split' | 'at' | 'least' | 'most'>,
  key: string,
  step: number,
): number | null => {
  if (key === 'Home') return least;
  if (key === 'End') return most;
  const steps = keySteps[split][key];
  return steps === undefined ? null : Math.min(Math.max(at + steps * step, least), most);
};
