import type { RefObject } from 'preact';
import { formatInstant } from '../format/figures.ts';
import { choices, seriesOf } from '../samples/signals-state.ts';
import { type CursorName, rangeOfCursors, sampleBeside } from './measure.ts';
import type { PanePlot } from './pane-plot.ts';
import { panned, type TimeRange } from './time-range.ts';
import { cursors, frozen, placeCursor, shownRange } from './view-state.ts';

const names: readonly CursorName[] = ['a', 'b'];

const largeStep = 0.05;

/** Moves the view if a cursor would leave it. */
const follow = (us: number): void => {
  const range = shownRange();
  const share = (us - range.fromUs) / (range.toUs - range.fromUs);
  if (share < 0) frozen.value = panned(range, share - largeStep);
  else if (share > 1) frozen.value = panned(range, share - 1 + largeStep);
};

const directions: Readonly<Record<string, 1 | -1>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ',': -1,
  ArrowRight: 1,
  ArrowUp: 1,
  '.': 1,
};

/** By a pixel, with Shift by a twentieth of the view, or from sample to sample. */
const stepped = (event: KeyboardEvent, name: CursorName, width: number): number | null => {
  // Keys can come faster than the page is drawn.
  const us = cursors.peek()?.[name];
  if (us === undefined) return null;
  const { fromUs, toUs } = shownRange();
  if (event.key === 'Home') return fromUs;
  if (event.key === 'End') return toUs;
  const direction = directions[event.key];
  if (direction === undefined) return null;
  if (event.key === ',' || event.key === '.') {
    const plotted = choices.peek().filter(({ isPlotted }) => isPlotted);
    return sampleBeside(plotted.map(seriesOf), us, direction) ?? us;
  }
  const step = (toUs - fromUs) * (event.shiftKey ? largeStep : 1 / width);
  return us + direction * Math.max(1, step);
};

const drag = (event: PointerEvent, name: CursorName, plot: PanePlot): void => {
  if (event.button !== 0) return;
  const handle = event.currentTarget as HTMLElement;
  handle.setPointerCapture(event.pointerId);
  const move = (moved: PointerEvent): void => placeCursor(name, plot.instantUnder(moved));
  const end = (): void => handle.removeEventListener('pointermove', move);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', end, { once: true });
};

interface CursorHandlesProps {
  /** A pane; the time axes of all are aligned. */
  readonly plotOf: () => PanePlot | undefined;
  readonly overlay: RefObject<HTMLDivElement | null>;
}

/** The cursors over all panes; `placeHandles` moves them with the view. */
export const CursorHandles = ({ plotOf, overlay }: CursorHandlesProps) => {
  const placed = cursors.value;
  return (
    <div ref={overlay} class="cursors">
      {placed && <div class="cursor-span" />}
      {placed &&
        names.map((name) => (
          <div
            key={name}
            class="cursor-handle"
            role="slider"
            tabIndex={0}
            aria-label={`Cursor ${name.toUpperCase()}`}
            aria-valuemin={0}
            aria-valuemax={Number.MAX_SAFE_INTEGER}
            aria-valuenow={placed[name]}
            aria-valuetext={formatInstant(placed[name], 6)}
            title="Drag, or move with the arrow keys (Shift: larger steps; comma and period: from sample to sample)"
            data-cursor={name}
            data-testid={`cursor-${name}`}
            onPointerDown={(event) => {
              const plot = plotOf();
              if (plot) drag(event, name, plot);
            }}
            onKeyDown={(event) => {
              if (event.ctrlKey || event.altKey || event.metaKey) return;
              const us = stepped(event, name, plotOf()?.extent.width ?? 1);
              if (us === null) return;
              event.preventDefault();
              event.stopPropagation();
              placeCursor(name, us);
              follow(us);
            }}
          >
            <span aria-hidden="true">{name.toUpperCase()}</span>
          </div>
        ))}
    </div>
  );
};

export const placeHandles = (
  overlay: HTMLElement | null,
  { left, width }: PanePlot['extent'],
  { fromUs, toUs }: TimeRange,
): void => {
  const placed = cursors.peek();
  if (!overlay || !placed) return;
  const place = (us: number): number => ((us - fromUs) / (toUs - fromUs)) * width;
  for (const handle of overlay.querySelectorAll<HTMLElement>('[data-cursor]')) {
    const x = place(placed[handle.dataset.cursor as CursorName]);
    // Hidden handles lose the focus, and cursors at an edge are rounded.
    const isOutside = x < -1 || x > width + 1;
    handle.hidden = isOutside && handle !== document.activeElement;
    handle.style.left = `${left + x}px`;
  }
  const span = overlay.querySelector<HTMLElement>('.cursor-span');
  if (!span) return;
  const range = rangeOfCursors(placed);
  const start = Math.max(0, place(range.fromUs));
  const end = Math.min(width, place(range.toUs));
  span.style.left = `${left + start}px`;
  span.style.width = `${Math.max(0, end - start)}px`;
};
