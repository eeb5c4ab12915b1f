import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { choiceKey, type SignalChoice } from '../samples/signal-choices.ts';
import { choices, seriesOf } from '../samples/signals-state.ts';
import { currentPage, type PageId } from '../state/pages.ts';
import { theme } from '../state/theme.ts';
import type { PaneLine } from './draw-lines.ts';
import { holdUntil, type LinePoints, labelSpans, linePoints, noPoints } from './line-points.ts';
import { drawSteadily } from './paced-drawing.ts';
import { panes } from './pane-layout.ts';
import type { PanePlot } from './pane-plot.ts';
import { PaneView } from './pane-view.tsx';
import { dashOf, type Pane, paneHeights } from './panes.ts';
import { type PlotColours, readColours } from './plot-colours.ts';
import { pressInPlot } from './plot-gestures.ts';
import { remarksOnChoice } from './readings.ts';
import type { TimeRange } from './time-range.ts';
import { beat, focusKey, frozen, nowUs, shownRange } from './view-state.ts';

/** Pixels that the shortest name of a value needs. */
const leastLabelPixels = 12;

/** What was drawn last time is used again: drawing makes no garbage to speak of. */
const scratch = new Map<string, LinePoints>();

const lineOf = (choice: SignalChoice, pane: Pane, view: View): PaneLine => {
  const { range, width, colours } = view;
  const key = choiceKey(choice);
  const series = seriesOf(choice);
  const into = scratch.get(key) ?? noPoints();
  scratch.set(key, into);
  const isLane = pane.kind === 'labels';
  const leastUs = ((range.toUs - range.fromUs) / width) * leastLabelPixels;
  const remarks = remarksOnChoice(choice);
  const points = linePoints(series, range, width, into);
  if (series.isHeld && !series.isStale) {
    holdUntil(Math.min(range.toUs, nowUs()), points);
  }
  return {
    series,
    points,
    spans: isLane ? labelSpans(series, range, leastUs) : [],
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

/** Reads the colours anew whenever the theme changes, by hand or by the system. */
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

const useSize = (place: { readonly current: HTMLElement | null }) => {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const node = place.current;
    if (!node) return;
    const measure = (): void => {
      // A page behind another one has no size; it keeps the one it had.
      if (node.clientWidth > 0) setSize({ width: node.clientWidth, height: node.clientHeight });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    measure();
    return () => observer.disconnect();
  }, [place]);
  return size;
};

/** The plot: panes below each other that share time and cursor. */
export const PlotArea = ({ page }: { readonly page: PageId }) => {
  const place = useRef<HTMLDivElement>(null);
  const plots = useRef(new Map<Pane, PanePlot>());
  const colours = useColours(place);
  const { width, height } = useSize(place);
  const list = panes.value;

  useEffect(() => {
    if (!colours) return;
    let drawn: unknown = null;
    return drawSteadily(() => {
      if (currentPage.peek().id !== page) return;
      // What stands still needs no more than to follow its figures.
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
      aria-label="Plot. Arrow keys move, plus and minus zoom, Shift and arrow keys move the cursor, Space pauses, 0 goes back to live."
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
