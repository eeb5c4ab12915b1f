import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { choiceKey, type SignalChoice } from '../samples/signal-choices.ts';
import { choices, seriesOf } from '../samples/signals-state.ts';
import { currentPage, type PageId } from '../state/pages.ts';
import { theme } from '../state/theme.ts';
import { onResize } from '../ui/on-resize.ts';
import { StateMark } from '../ui/state-mark.tsx';
import { type PaneLine, type PlotColours, readColours } from './draw-lines.ts';
import { holdUntil, type LinePoints, labelSpans, linePoints, noPoints } from './line-points.ts';
import { panes } from './pane-layout.ts';
import { PanePlot } from './pane-plot.ts';
import { dashOf, type Pane, paneHeights } from './panes.ts';
import { readingAtCursor, remarksOnChoice, silenceText, valueText } from './readings.ts';
import { panned, rangeBetween, type TimeRange, zoomed } from './time-range.ts';
import { LineKey } from './trend-line.tsx';
import {
  beat,
  cursorUs,
  focusKey,
  frozen,
  nowUs,
  showLive,
  shownRange,
  togglePause,
} from './view-state.ts';

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

/** Pans with Shift, or with the middle button. */
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

const attachGestures = (plot: PanePlot): void => {
  const { surface } = plot;
  surface.addEventListener('wheel', (event) => turnWheel(plot, event), { passive: false });
  surface.addEventListener('pointerdown', (event) => dragView(plot, event));
  surface.addEventListener('dblclick', () => showLive());
};

const pressInPlot = (event: KeyboardEvent, plots: Iterable<PanePlot>): boolean => {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const range = shownRange();
  const middle = cursorUs.peek() ?? (range.fromUs + range.toUs) / 2;
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (direction !== undefined && event.shiftKey) {
    const us = middle + direction * keyCursor * (range.toUs - range.fromUs);
    for (const plot of plots) plot.pointTo(Math.min(range.toUs, Math.max(range.fromUs, us)));
  } else if (direction !== undefined) frozen.value = panned(range, direction * keyPan);
  else if (event.key === '+') frozen.value = zoomed(range, 1 / zoomPerNotch, middle);
  else if (event.key === '-') frozen.value = zoomed(range, zoomPerNotch, middle);
  else if (event.key === '0' || event.key === 'Home') showLive();
  else if (event.key === ' ') togglePause();
  else return false;
  return true;
};

const LegendEntry = ({ choice, pane }: { readonly choice: SignalChoice; readonly pane: Pane }) => {
  void beat.value;
  const series = seriesOf(choice);
  const reading = readingAtCursor(series);
  const silence = reading === null ? silenceText(series) : null;
  const grave = remarksOnChoice(choice).filter((remark) => remark !== 'no sample yet');
  return (
    <li data-signal={choice.signal}>
      <LineKey look={choice.look} dash={dashOf([pane], choiceKey(choice))} />
      <span>{choice.signal}</span>
      <strong data-silent={silence ?? undefined}>
        {reading ?? valueText(series, series.length > 0 ? series.length - 1 : null)}
        {pane.unit !== '' && ` ${pane.unit}`}
      </strong>
      <span class="quiet">{silence}</span>
      {grave.map((remark) => (
        <StateMark key={remark} state={remark} label={remark.replaceAll('_', ' ').toUpperCase()} />
      ))}
    </li>
  );
};

interface PaneViewProps {
  readonly pane: Pane;
  readonly width: number;
  readonly height: number;
  readonly hasTimeAxis: boolean;
  readonly colours: PlotColours;
  readonly onPlot: (pane: Pane, plot: PanePlot | null) => void;
}

const PaneView = (props: PaneViewProps) => {
  const { pane, width, height, hasTimeAxis, colours, onPlot } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<PanePlot | null>(null);

  useLayoutEffect(() => {
    if (!host.current) return;
    const made = new PanePlot(host.current, {
      kind: pane.kind,
      hasTimeAxis,
      width,
      height,
      colours,
      onSelect: (fromUs, toUs) => {
        const range = rangeBetween(fromUs, toUs);
        if (range) frozen.value = range;
      },
      onCursor: (us) => {
        cursorUs.value = us;
      },
    });
    attachGestures(made);
    plot.current = made;
    onPlot(pane, made);
    return () => {
      plot.current = null;
      onPlot(pane, null);
      made.destroy();
    };
  }, [pane, hasTimeAxis, colours]);
  useLayoutEffect(() => plot.current?.resize(width, height), [width, height]);

  const shown = choices.value.filter((choice) => pane.keys.includes(choiceKey(choice)));
  return (
    <div class="pane" data-kind={pane.kind} data-testid="signal-pane">
      <ul class="pane-legend">
        {shown.map((choice) => (
          <LegendEntry key={choiceKey(choice)} choice={choice} pane={pane} />
        ))}
      </ul>
      <div ref={host} />
    </div>
  );
};

const restMs = { shortest: 30, max: 500 };

/** Limits drawing to about a third of the time, even on a slow machine. */
const restFactor = 2;

const drawSteadily = (draw: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  const run = (): void => {
    const start = performance.now();
    draw();
    const took = performance.now() - start;
    const rest = Math.min(restMs.max, Math.max(restMs.shortest, restFactor * took));
    timer = setTimeout(() => {
      frame = requestAnimationFrame(run);
    }, rest);
  };
  frame = requestAnimationFrame(run);
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
};

const minLabelPixels = 12;

/** Buffers of the last frame, reused to avoid garbage. */
const scratch = new Map<string, LinePoints>();

const lineOf = (choice: SignalChoice, pane: Pane, view: View): PaneLine => {
  const { range, width, colours } = view;
  const key = choiceKey(choice);
  const series = seriesOf(choice);
  const into = scratch.get(key) ?? noPoints();
  scratch.set(key, into);
  const isLane = pane.kind === 'labels';
  const minUs = ((range.toUs - range.fromUs) / width) * minLabelPixels;
  const remarks = remarksOnChoice(choice);
  const points = linePoints(series, range, width, into);
  if (series.isHeld && !series.isStale) {
    holdUntil(Math.min(range.toUs, nowUs()), points);
  }
  return {
    series,
    points,
    spans: isLane ? labelSpans(series, range, minUs) : [],
    colour: colours.lines[choice.look % colours.lines.length] ?? colours.text,
    dash: dashOf([pane], key),
    isFocused: focusKey.peek() === key,
    isFaint: remarks.includes('stale') || remarks.includes('expired'),
    isStep: isLane || series.isHeld,
  };
};

interface View {
  readonly range: TimeRange;
  readonly width: number;
  readonly colours: PlotColours;
}

const drawAll = (plots: ReadonlyMap<Pane, PanePlot>, width: number, colours: PlotColours): void => {
  const view = { range: shownRange(), width: Math.max(1, width), colours };
  for (const [pane, plot] of plots) {
    const lines = choices
      .peek()
      .filter((choice) => pane.keys.includes(choiceKey(choice)))
      .map((choice) => lineOf(choice, pane, view));
    plot.draw(view.range, lines);
  }
};

const useColours = (place: { readonly current: HTMLElement | null }): PlotColours | null => {
  const [colours, setColours] = useState<PlotColours | null>(null);
  const name = theme.value;
  useLayoutEffect(() => {
    const read = (): void => {
      if (place.current) setColours(readColours(place.current));
    };
    read();
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', read);
    return () => system.removeEventListener('change', read);
  }, [name, place]);
  return colours;
};

export const PlotArea = ({ page }: { readonly page: PageId }) => {
  const place = useRef<HTMLDivElement>(null);
  const plots = useRef(new Map<Pane, PanePlot>());
  const colours = useColours(place);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => onResize(place.current, setSize), []);
  const list = panes.value;

  useEffect(() => {
    if (!colours) return;
    let drawn: unknown = null;
    return drawSteadily(() => {
      if (currentPage.peek().id !== page) return;
      const state = frozen.peek() ? `${beat.peek()} ${JSON.stringify(frozen.peek())}` : null;
      if (state !== null && state === drawn) return;
      drawn = state;
      drawAll(plots.current, width, colours);
    });
  }, [colours, width, page]);

  const heights = paneHeights(list, height);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of form fields
    <div
      ref={place}
      class="plot-area"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and zoomed by keys
      tabIndex={0}
      aria-label="Plot. Arrow keys pan, plus and minus zoom, Shift with arrow keys moves the cursor, Space pauses, 0 returns to live."
      data-testid="signal-plot"
      onKeyDown={(event) => {
        if (pressInPlot(event, plots.current.values())) event.preventDefault();
      }}
    >
      {colours &&
        width > 0 &&
        list.map((pane, index) => (
          <PaneView
            key={pane.id}
            pane={pane}
            width={width}
            height={heights[index] ?? 0}
            hasTimeAxis={index === list.length - 1}
            colours={colours}
            onPlot={(which, plot) => {
              if (plot) plots.current.set(which, plot);
              else plots.current.delete(which);
            }}
          />
        ))}
    </div>
  );
};
