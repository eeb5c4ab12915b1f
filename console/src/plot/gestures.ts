import type { PanePlot, Selection } from './pane-plot.ts';
import { panned, rangeBetween, zoomed } from './time-range.ts';
import { pannedValues, type ValueRange, valuesBetween, zoomedValues } from './value-range.ts';
import {
  cursorUs,
  fitAxes,
  focusKey,
  frozen,
  placeCursor,
  setAxis,
  showLive,
  shownRange,
  toggleCursors,
  togglePause,
} from './view-state.ts';

const zoomPerNotch = 1.25;

const notchPixels = 100;

const keyPan = 0.1;

const keyCursor = 0.01;

/** A drag sideways may be this uneven before it moves the values, too. */
const unevenPixels = 12;

type Change = (range: ValueRange) => ValueRange;

/** Changes an axis, or all axes of a pane. */
const changeAxes = (plot: PanePlot, change: Change, ranges = plot.ranges, only?: number): void => {
  for (const [at, { id }] of plot.axes.entries()) {
    const range = ranges[at];
    if (range && (only === undefined || at === only)) setAxis(id, change(range));
  }
};

const wheelFactor = ({ deltaY }: WheelEvent): number => zoomPerNotch ** (deltaY / notchPixels);

/** Zooms one axis, or all of a pane, about the value under the pointer. */
export const turnOnAxis = (plot: PanePlot, event: WheelEvent, only?: number): void => {
  event.preventDefault();
  const share = plot.shareUnder(event);
  const factor = wheelFactor(event);
  const zoom: Change = (range) =>
    zoomedValues(range, factor, range.low + share * (range.high - range.low));
  changeAxes(plot, zoom, plot.ranges, only);
};

const turnWheel = (plot: PanePlot, event: WheelEvent): void => {
  if (event.altKey) {
    turnOnAxis(plot, event);
    return;
  }
  event.preventDefault();
  const { width } = plot.surface.getBoundingClientRect();
  const sideways = event.shiftKey ? event.deltaY + event.deltaX : event.deltaX;
  if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey) {
    frozen.value = panned(shownRange(), sideways / width);
    return;
  }
  frozen.value = zoomed(shownRange(), wheelFactor(event), plot.instantUnder(event));
};

const drag = (
  on: HTMLElement,
  event: PointerEvent,
  move: (byX: number, byY: number) => void,
): void => {
  event.preventDefault();
  on.setPointerCapture(event.pointerId);
  const moved = ({ clientX, clientY }: PointerEvent): void =>
    move(clientX - event.clientX, clientY - event.clientY);
  const end = (): void => on.removeEventListener('pointermove', moved);
  on.addEventListener('pointermove', moved);
  on.addEventListener('lostpointercapture', end, { once: true });
};

export const dragAxis = (plot: PanePlot, event: PointerEvent, only: number): void => {
  const { ranges } = plot;
  const { height } = plot.surface.getBoundingClientRect();
  drag(event.currentTarget as HTMLElement, event, (_, byY) =>
    changeAxes(plot, (range) => pannedValues(range, byY / height), ranges, only),
  );
};

/** Moves the view with Shift, or with the middle button. */
const dragView = (plot: PanePlot, event: PointerEvent): void => {
  const isPan = event.button === 1 || (event.button === 0 && event.shiftKey);
  if (!isPan) return;
  const { ranges, surface } = plot;
  const range = shownRange();
  const { width, height } = surface.getBoundingClientRect();
  let isUneven = false;
  drag(surface, event, (byX, byY) => {
    frozen.value = panned(range, -byX / width);
    isUneven ||= Math.abs(byY) > unevenPixels;
    if (isUneven) changeAxes(plot, (values) => pannedValues(values, byY / height), ranges);
  });
};

export const attachGestures = (plot: PanePlot): void => {
  const { surface } = plot;
  surface.addEventListener('wheel', (event) => turnWheel(plot, event), { passive: false });
  surface.addEventListener('pointerdown', (event) => dragView(plot, event));
  surface.addEventListener('dblclick', () => {
    fitAxes();
    showLive();
  });
};

/** Zooms to what a drag has selected. */
export const zoomTo = (plot: PanePlot, selection: Selection): void => {
  const { fromUs, toUs, isWide, isTall, top, bottom } = selection;
  const range = isWide ? rangeBetween(fromUs, toUs) : null;
  if (range) frozen.value = range;
  if (isTall) changeAxes(plot, (values) => valuesBetween(values, top, bottom));
};

/** Keys move and zoom the axis of the focused signal, or all. */
const pressOnValues = (event: KeyboardEvent, plots: Iterable<PanePlot>): boolean => {
  const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (direction === undefined) return false;
  const change: Change = (range) =>
    event.shiftKey
      ? zoomedValues(range, zoomPerNotch ** -direction, (range.low + range.high) / 2)
      : pannedValues(range, direction * keyPan);
  const key = focusKey.peek();
  for (const plot of plots) {
    const axis = plot.axes.findIndex(({ keys }) => key !== null && keys.includes(key));
    if (axis >= 0) changeAxes(plot, change, plot.ranges, axis);
    else if (key === null) changeAxes(plot, change);
  }
  return true;
};

const isModified = ({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  ctrlKey || altKey || metaKey;

/** Where the pointer is, or the middle of the view. */
const pointedUs = (): number => {
  const { fromUs, toUs } = shownRange();
  return cursorUs.peek() ?? (fromUs + toUs) / 2;
};

export const pressToMeasure = (event: KeyboardEvent): boolean => {
  if (isModified(event)) return false;
  if (event.key === 'a' || event.key === 'b') placeCursor(event.key, pointedUs());
  else if (event.key === 'c') toggleCursors();
  else return false;
  return true;
};

export const pressInPlot = (event: KeyboardEvent, plots: readonly PanePlot[]): boolean => {
  if (isModified(event)) return false;
  const range = shownRange();
  const middle = pointedUs();
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (direction !== undefined && event.shiftKey) {
    const us = middle + direction * keyCursor * (range.toUs - range.fromUs);
    for (const plot of plots) plot.pointTo(Math.min(range.toUs, Math.max(range.fromUs, us)));
  } else if (direction !== undefined) frozen.value = panned(range, direction * keyPan);
  else if (event.key === '+') frozen.value = zoomed(range, 1 / zoomPerNotch, middle);
  else if (event.key === '-') frozen.value = zoomed(range, zoomPerNotch, middle);
  else if (event.key === '0' || event.key === 'Home') showLive();
  else if (event.key === ' ') togglePause();
  else if (event.key === 'f') fitAxes();
  else return pressOnValues(event, plots);
  return true;
};
