import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { choiceKey, type SignalChoice } from '../samples/signal-choices.ts';
import { choices, looks, seriesOf } from '../samples/signals-state.ts';
import { isShown } from '../state/pages.ts';
import { pictures } from '../state/pictures.ts';
import { theme } from '../state/theme.ts';
import { onResize } from '../ui/on-resize.ts';
import { StateMark } from '../ui/state-mark.tsx';
import { readCanvasStyle } from '../ui/text-width.ts';
import { CursorHandles, placeHandles } from './cursor-handles.tsx';
import type { PaneLine, PlotColours } from './draw-lines.ts';
import {
  attachGestures,
  dragAxis,
  pressInPlot,
  pressToMeasure,
  turnOnAxis,
  zoomTo,
} from './gestures.ts';
import { holdUntil, type LinePoints, labelSpans, linePoints, noPoints } from './line-points.ts';
import { panes } from './pane-layout.ts';
import { PanePlot } from './pane-plot.ts';
import {
  type Axis,
  axisOf,
  axisWidth,
  dashOf,
  drawnAxes,
  headHeight,
  type Pane,
  paneHeights,
} from './panes.ts';
import type { Picture } from './picture/draw-picture.ts';
import { isPast, readingAtCursor, remarksOnChoice, silenceText, valueText } from './readings.ts';
import type { TimeRange } from './time-range.ts';
import { LineKey } from './trend-line.tsx';
import { fittedValues, type ValueRange } from './value-range.ts';
import {
  anyBeat,
  axisRanges,
  beats,
  cursors,
  cursorUs,
  fitAxes,
  focusKey,
  frozen,
  lineMode,
  nowUs,
  type PlotPage,
  shownRange,
  toggleLock,
} from './view-state.ts';

interface LegendEntryProps {
  readonly page: PlotPage;
  readonly choice: SignalChoice;
  readonly pane: Pane;
}

const LegendEntry = ({ page, choice, pane }: LegendEntryProps) => {
  void beats[page].value;
  const series = seriesOf(choice);
  const unit = pane.axes[axisOf(pane, choiceKey(choice))]?.unit ?? '';
  const reading = readingAtCursor(series);
  const silence = reading === null ? silenceText(series) : null;
  const grave = remarksOnChoice(choice).filter((remark) => remark !== 'no sample yet');
  const isDim = silence !== null || (reading === null && isPast(grave));
  return (
    <li data-signal={choice.signal}>
      <LineKey look={choice.look} dash={dashOf([pane], choiceKey(choice))} />
      <span>{choice.signal}</span>
      <strong data-silent={isDim ? (silence ?? '') : undefined}>
        {reading ?? valueText(series, series.length > 0 ? series.length - 1 : null)}
        {unit !== '' && ` ${unit}`}
      </strong>
      <span class="quiet">{silence}</span>
      {grave.map((remark) => (
        <StateMark key={remark} state={remark} label={remark.replaceAll('_', ' ').toUpperCase()} />
      ))}
    </li>
  );
};

interface AxisStripProps {
  readonly axis: Axis;
  readonly index: number;
  readonly left: number;
  readonly plotOf: () => PanePlot | null;
}

/** Head of an axis with its lock, and the area where the pointer zooms and moves it. */
const AxisStrip = ({ axis, index, left, plotOf }: AxisStripProps) => {
  const isLocked = axisRanges.value[axis.id]?.isLocked ?? false;
  const onPlot = (act: (plot: PanePlot) => void): void => {
    const plot = plotOf();
    if (plot) act(plot);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the plot do the same
    <div
      class="axis-strip"
      style={{ left: `${left}px`, width: `${axisWidth}px` }}
      onWheel={(event) => onPlot((plot) => turnOnAxis(plot, event, index))}
      onPointerDown={(event) => {
        const isButton = event.target instanceof Element && event.target.closest('button');
        if (event.button === 0 && !isButton) onPlot((plot) => dragAxis(plot, event, index));
      }}
      onDblClick={() => fitAxes(axis.id)}
    >
      <button
        type="button"
        aria-pressed={isLocked}
        aria-label={`Lock axis ${axis.title}`}
        title={`${isLocked ? 'Locked' : 'Lock the axis'}: ${axis.title}`}
        style={{ height: `${headHeight}px` }}
        data-testid="axis-lock"
        onClick={() =>
          onPlot((plot) => toggleLock(axis.id, plot.ranges[index] ?? { low: 0, high: 1 }))
        }
      >
        <svg viewBox="0 0 10 12" aria-hidden="true">
          <path d={isLocked ? 'M2.5 6V4a2.5 2.5 0 0 1 5 0V6' : 'M2.5 6V3a2.5 2.5 0 0 1 5 0'} />
          <path class="body" d="M1 6h8v5H1z" />
        </svg>{' '}
        {axis.title}
      </button>
    </div>
  );
};

interface PaneViewProps {
  readonly page: PlotPage;
  readonly pane: Pane;
  readonly axisRoom: number;
  readonly width: number;
  readonly height: number;
  readonly hasTimeAxis: boolean;
  readonly colours: PlotColours;
  readonly onPlot: (pane: Pane, plot: PanePlot | null) => void;
}

const PaneView = (props: PaneViewProps) => {
  const { page, pane, axisRoom, width, height, hasTimeAxis, colours, onPlot } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<PanePlot | null>(null);

  useLayoutEffect(() => {
    if (!host.current) return;
    const made: PanePlot = new PanePlot(host.current, {
      pane,
      axisRoom,
      hasTimeAxis,
      width,
      height,
      colours,
      onSelect: (selection) => zoomTo(made, selection),
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
  }, [pane, axisRoom, hasTimeAxis, colours]);
  useLayoutEffect(() => plot.current?.resize(width, height), [width, height]);

  const shown = choices.value.filter((choice) => pane.keys.includes(choiceKey(choice)));
  return (
    <div class="pane" data-kind={pane.kind} data-testid="signal-pane">
      <ul class="pane-legend" style={{ left: `${axisRoom * axisWidth + legendGap}px` }}>
        {shown.map((choice) => (
          <LegendEntry key={choiceKey(choice)} page={page} choice={choice} pane={pane} />
        ))}
      </ul>
      <div ref={host} />
      {pane.kind === 'numbers' &&
        drawnAxes(pane).map((axis, index) => (
          <AxisStrip
            key={axis.id}
            axis={axis}
            index={index}
            left={(axisRoom - 1 - index) * axisWidth}
            plotOf={() => plot.current}
          />
        ))}
    </div>
  );
};

const legendGap = 4;

/** Time moves the lines, even if no sample arrives. */
const drawSteadily = (draw: () => void): (() => void) => {
  const run = (): void => {
    cancel = pictures.request(run);
    draw();
  };
  let cancel = pictures.request(run);
  return () => cancel();
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
  const isStep = isLane || series.isHeld || lineMode.peek() === 'step';
  const minUs = ((range.toUs - range.fromUs) / width) * minLabelPixels;
  const points = linePoints(series, range, width, into);
  const untilUs = Math.min(range.toUs, nowUs());
  if (isStep && !series.isStale && !series.isSilentAt(untilUs)) holdUntil(untilUs, points);
  const axis = axisOf(pane, key);
  const unit = pane.axes[axis]?.unit ?? '';
  return {
    name: `${choice.signal} ${unit}`.trimEnd(),
    series,
    points,
    spans: isLane ? labelSpans(series, range, minUs) : [],
    axis,
    colour: colours.lines[choice.look % colours.lines.length] ?? colours.text,
    dash: dashOf([pane], key),
    isFocused: focusKey.peek() === key,
    isFaint: isPast(remarksOnChoice(choice)),
    isStep,
    hasDots: !isLane,
  };
};

interface View {
  readonly range: TimeRange;
  readonly width: number;
  readonly colours: PlotColours;
}

/** Manual range of each axis, or one that fits its lines. */
const rangesOf = ({ axes, kind }: Pane, lines: readonly PaneLine[]): readonly ValueRange[] =>
  axes.map(({ id }, at) => {
    const own = lines.filter(({ axis }) => axis === at).map(({ points }) => points);
    return (
      axisRanges.peek()[id] ??
      fittedValues(
        Math.min(...own.map(({ low }) => low)),
        Math.max(...own.map(({ high }) => high)),
        kind,
      )
    );
  });

const drawAll = (plots: ReadonlyMap<Pane, PanePlot>, view: View): void => {
  for (const [pane, plot] of plots) {
    const lines = choices
      .peek()
      .filter((choice) => pane.keys.includes(choiceKey(choice)))
      .map((choice) => lineOf(choice, pane, view));
    plot.draw(view.range, lines, rangesOf(pane, lines));
  }
};

const readColours = (place: HTMLElement): PlotColours =>
  readCanvasStyle(place, ({ colourOf, font }) => ({
    lines: Array.from({ length: looks }, (_, look) => colourOf(`series-${look + 1}`)),
    text: colourOf('text'),
    quiet: colourOf('quiet'),
    line: colourOf('line'),
    bad: colourOf('bad'),
    accent: colourOf('accent'),
    surface: colourOf('surface'),
    font,
  }));

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

const plotKeys =
  'Plot. Left and right arrows pan, plus and minus zoom in time, up and down arrows move the values, ' +
  'with Shift they zoom them, F fits the values, Shift with left and right moves the pointer, ' +
  'Space pauses, 0 returns to live.';
const measureKeys = ' A and B place a cursor at the pointer, C adds or removes both.';

/** The plot of the Signals page as it is shown; null without one. */
export const shownPicture: { take: (() => Picture | null) | null } = { take: null };

export const PlotArea = ({ page }: { readonly page: PlotPage }) => {
  // Only the Signals page shows what is measured.
  const canMeasure = page === 'signals';
  const place = useRef<HTMLDivElement>(null);
  const overlay = useRef<HTMLDivElement>(null);
  const plots = useRef(new Map<Pane, PanePlot>());
  const anyPlot = (): PanePlot | undefined => plots.current.values().next().value;
  const colours = useColours(place);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => onResize(place.current, setSize), []);
  const list = panes.value;
  const isInFront = isShown(page);

  useEffect(() => {
    if (!colours || !isInFront) return;
    let drawn: readonly unknown[] = [];
    return drawSteadily(() => {
      const state = [frozen, cursors, axisRanges, lineMode, anyBeat].map((each) => each.peek());
      if (frozen.peek() && state.every((each, at) => each === drawn[at])) return;
      drawn = state;
      const view = { range: shownRange(), width: Math.max(1, width), colours };
      drawAll(plots.current, view);
      const plot = anyPlot();
      if (plot) placeHandles(overlay.current, plot.extent, view.range);
    });
  }, [colours, width, isInFront]);

  useEffect(() => {
    if (!canMeasure) return;
    shownPicture.take = () => {
      const range = shownRange();
      const shown = list.flatMap((pane) => plots.current.get(pane)?.picture() ?? []);
      return colours && shown.length > 0
        ? { width, colours, range, cursors: cursors.peek(), panes: shown }
        : null;
    };
    return () => {
      shownPicture.take = null;
    };
  }, [colours, width, canMeasure, list]);

  const heights = paneHeights(list, height);
  const axisRoom = Math.max(...list.map((pane) => drawnAxes(pane).length));
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of form fields
    <div
      ref={place}
      class="plot-area"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and zoomed by keys
      tabIndex={0}
      aria-label={`${plotKeys}${canMeasure ? measureKeys : ''}`}
      data-testid="signal-plot"
      onKeyDown={(event) => {
        const isTaken =
          (canMeasure && pressToMeasure(event)) || pressInPlot(event, [...plots.current.values()]);
        if (isTaken) event.preventDefault();
      }}
    >
      <div class="plot-stack">
        {colours &&
          width > 0 &&
          list.map((pane, index) => (
            <PaneView
              key={pane.id}
              page={page}
              pane={pane}
              axisRoom={axisRoom}
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
        {canMeasure && list.length > 0 && <CursorHandles plotOf={anyPlot} overlay={overlay} />}
      </div>
    </div>
  );
};
