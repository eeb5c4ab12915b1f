import type { PanePlot } from './pane-plot.ts';
import { panned, zoomed } from './time-range.ts';
import { cursorUs, frozen, showLive, shownRange, togglePause } from './view-state.ts';

const zoomPerNotch = 1.25;
const notchPixels = 100;
const keyPan = 0.1;
const keyCursor = 0.01;

const turnWheel = (plot: PanePlot, event: WheelEvent): void => {
  event.preventDefault();
  const { width, left } = plot.surface.getBoundingClientRect();
  const sideways = event.shiftKey ? event.deltaY + event.deltaX : event.deltaX;
  if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey) {
    frozen.value = panned(shownRange(), sideways / width);
    return;
  }
  const factor = zoomPerNotch ** (event.deltaY / notchPixels);
  frozen.value = zoomed(shownRange(), factor, plot.instantAt(event.clientX - left));
};

/** Moves the view along with the pointer: with Shift, or with the middle button. */
const dragView = (plot: PanePlot, event: PointerEvent): void => {
  const isPan = event.button === 1 || (event.button === 0 && event.shiftKey);
  if (!isPan) return;
  event.preventDefault();
  const { surface } = plot;
  const range = shownRange();
  const { width } = surface.getBoundingClientRect();
  surface.setPointerCapture(event.pointerId);
  const move = ({ clientX }: PointerEvent): void => {
    frozen.value = panned(range, (event.clientX - clientX) / width);
  };
  const end = (): void => surface.removeEventListener('pointermove', move);
  surface.addEventListener('pointermove', move);
  surface.addEventListener('lostpointercapture', end, { once: true });
};

/** Lets a pane be zoomed and moved by hand; it is gone together with its plot. */
export const attachGestures = (plot: PanePlot): void => {
  const { surface } = plot;
  surface.addEventListener('wheel', (event) => turnWheel(plot, event), { passive: false });
  surface.addEventListener('pointerdown', (event) => dragView(plot, event));
  surface.addEventListener('dblclick', () => showLive());
};

/** The same for those who use keys. Answers whether the key meant anything. */
export const pressInPlot = (event: KeyboardEvent, plots: Iterable<PanePlot>): boolean => {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const range = shownRange();
  const middle = cursorUs.peek() ?? (range.fromUs + range.toUs) / 2;
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (direction !== undefined && event.shiftKey) {
    const us = middle + direction * keyCursor * (range.toUs - range.fromUs);
    // The panes share their cursor.
    for (const plot of plots) plot.pointTo(Math.min(range.toUs, Math.max(range.fromUs, us)));
  } else if (direction !== undefined) frozen.value = panned(range, direction * keyPan);
  else if (event.key === '+') frozen.value = zoomed(range, 1 / zoomPerNotch, middle);
  else if (event.key === '-') frozen.value = zoomed(range, zoomPerNotch, middle);
  else if (event.key === '0' || event.key === 'Home') showLive();
  else if (event.key === ' ') togglePause();
  else return false;
  return true;
};
