import { computed, effect, type Signal, signal } from '@preact/signals';
import { choices, isPlotLive, seriesOf, watched } from '../samples/signals-state.ts';
import { serviceNowUs } from '../state/service-clock.ts';
import { isLike, remembered, rememberedJson } from '../storage/remembered.ts';
import { type CursorName, type Cursors, cursorsIn } from './measure.ts';
import { type AxisMode, axisModes, type PaneMode, paneModes } from './panes.ts';
import { rangeOverAll, type TimeRange, windows } from './time-range.ts';
import type { ValueRange } from './value-range.ts';

const lineModes = ['line', 'step'] as const;
export type LineMode = (typeof lineModes)[number];

interface KeptView {
  readonly windowUs: number;
  readonly panes: PaneMode;
  readonly axes: AxisMode;
  readonly lines: LineMode;
}

const first: KeptView = { windowUs: windows[1].us, panes: 'unit', axes: 'unit', lines: 'line' };

const isView = (value: unknown): value is KeptView =>
  isLike(value, first) &&
  windows.some(({ us }) => us === value.windowUs) &&
  paneModes.includes(value.panes) &&
  axisModes.includes(value.axes) &&
  lineModes.includes(value.lines);

const kept = rememberedJson('busbar.signals.view', first, isView);

export const windowUs = signal(kept.get().windowUs);
export const paneMode = signal<PaneMode>(kept.get().panes);
export const axisMode = signal<AxisMode>(kept.get().axes);
export const lineMode = signal<LineMode>(kept.get().lines);

/** What is examined at the moment: only a reload of the same tab returns to it. */
interface Examined {
  readonly frozen: TimeRange | null;
  readonly cursors: Cursors | null;
  /** By axis. Other axes fit their lines. */
  readonly axes: Readonly<Record<string, AxisRange>>;
}

export interface AxisRange extends ValueRange {
  readonly isLocked: boolean;
}

const isExamined = (value: unknown): value is Examined => {
  if (!isLike(value, {})) return false;
  const { frozen, cursors, axes }: Partial<Record<keyof Examined, unknown>> = value;
  return (
    (frozen === null || isLike(frozen, { fromUs: 0, toUs: 0 })) &&
    (cursors === null || isLike(cursors, { a: 0, b: 0 })) &&
    isLike(axes, {}) &&
    Object.values(axes).every((axis) => isLike(axis, { low: 0, high: 0, isLocked: false }))
  );
};

const examined = rememberedJson<Examined>(
  'busbar.signals.examined',
  { frozen: null, cursors: null, axes: {} },
  isExamined,
  remembered('sessionStorage', 'busbar.signals.examined'),
);

/** Range shown instead of the latest samples, after a pause, zoom or pan. */
export const frozen = signal<TimeRange | null>(examined.get().frozen);
/** Cursors that stay at their instants; the pointer has one of its own. */
export const cursors = signal<Cursors | null>(examined.get().cursors);
/** Axes that were zoomed, moved or locked. */
export const axisRanges = signal(examined.get().axes);
export const cursorUs = signal<number | null>(null);
export const focusKey = signal<string | null>(null);

/** Pages with a plot. */
export type PlotPage = 'overview' | 'signals';
/** Each changes while its page is shown. */
export const beats: Readonly<Record<PlotPage, Signal<number>>> = {
  overview: signal(0),
  signals: signal(0),
};
export const anyBeat = computed(() => beats.overview.value + beats.signals.value);

effect(() => {
  kept.set({
    windowUs: windowUs.value,
    panes: paneMode.value,
    axes: axisMode.value,
    lines: lineMode.value,
  });
});
effect(() => {
  examined.set({ frozen: frozen.value, cursors: cursors.value, axes: axisRanges.value });
});

const newestUs = (): number =>
  Math.max(
    ...[...choices.peek(), ...watched.peek()].map(
      (choice) => seriesOf(choice).latest?.timestamp_us ?? 0,
    ),
  );

/** Current time of the plot; without a stream, the time of the newest sample. */
export const nowUs = (): number => {
  const newest = newestUs();
  return isPlotLive.peek() || newest <= 0 ? serviceNowUs() : newest;
};

export const latestRange = (us: number): TimeRange => {
  const toUs = nowUs();
  return { fromUs: toUs - us, toUs };
};

export const shownRange = (): TimeRange => frozen.peek() ?? latestRange(windowUs.peek());

/** Freezes the view, or follows the latest samples again; samples are received in both cases. */
export const togglePause = (): void => {
  frozen.value = frozen.peek() ? null : shownRange();
};

export const showLive = (us = windowUs.peek()): void => {
  windowUs.value = us;
  frozen.value = null;
};

export const showAll = (): void => {
  const ranges = choices
    .peek()
    .map(seriesOf)
    .filter(({ length }) => length > 0)
    .map((each) => ({ fromUs: each.timeAt(0), toUs: each.timeAt(each.length - 1) }));
  frozen.value = rangeOverAll(ranges);
};

/** Adds both cursors and pauses, so that the view stays at them, or removes them. */
export const toggleCursors = (): void => {
  if (cursors.peek()) {
    cursors.value = null;
    return;
  }
  const range = shownRange();
  frozen.value = range;
  cursors.value = cursorsIn(range);
};

/** Places a cursor at a whole microsecond. */
export const placeCursor = (name: CursorName, us: number): void => {
  if (!cursors.peek()) toggleCursors();
  const placed = cursors.peek();
  if (placed) cursors.value = { ...placed, [name]: Math.round(us) };
};

/** Sets the range of an axis that is not locked. */
export const setAxis = (id: string, { low, high }: ValueRange): void => {
  if (axisRanges.peek()[id]?.isLocked) return;
  axisRanges.value = { ...axisRanges.peek(), [id]: { low, high, isLocked: false } };
};

const keepAxes = (isKept: (id: string, axis: AxisRange) => boolean): void => {
  const kept = Object.entries(axisRanges.peek()).filter(([id, axis]) => isKept(id, axis));
  axisRanges.value = Object.fromEntries(kept);
};

/** Locks an axis at its range; without a lock it fits its lines again. */
export const toggleLock = (id: string, { low, high }: ValueRange): void => {
  if (axisRanges.peek()[id]?.isLocked) keepAxes((other) => other !== id);
  else axisRanges.value = { ...axisRanges.peek(), [id]: { low, high, isLocked: true } };
};

export const fitAxes = (only?: string): void =>
  keepAxes((id, { isLocked }) => isLocked || (only !== undefined && id !== only));
