import uPlot from 'uplot';
import { type Canvas, drawLines, type PaneLine, type PlotColours } from './draw-lines.ts';
import { type Axis, axisWidth, drawnAxes, headHeight, type Pane, timeAxisHeight } from './panes.ts';
import { formatTick } from './readings.ts';
import type { TimeRange } from './time-range.ts';
import type { ValueRange } from './value-range.ts';

interface Tick {
  readonly at: number;
  readonly text: string;
}

interface AxisPicture {
  /** Its right edge. */
  readonly x: number;
  readonly title: string;
  readonly colour: string;
  readonly ticks: readonly Tick[];
}

/** What a pane shows, in pixels of the page, from its top left corner. */
export interface PanePicture extends Omit<Canvas, 'context'> {
  readonly height: number;
  readonly lines: readonly PaneLine[];
  /** From right to left. */
  readonly axes: readonly AxisPicture[];
  readonly timeTicks: readonly Tick[];
  readonly hasTimeAxis: boolean;
}

interface Labels {
  readonly splits: readonly number[];
  readonly texts: readonly string[];
}

/** Selected by a drag: only the directions in which it went. */
export interface Selection {
  readonly fromUs: number;
  readonly toUs: number;
  readonly isWide: boolean;
  /** Shares of the height, from the top. */
  readonly top: number;
  readonly bottom: number;
  readonly isTall: boolean;
}

interface PanePlotOptions {
  readonly pane: Pane;
  /** Number of axes in the pane that has most: lines of all panes start below each other. */
  readonly axisRoom: number;
  readonly hasTimeAxis: boolean;
  readonly width: number;
  readonly height: number;
  readonly colours: PlotColours;
  readonly onSelect: (selection: Selection) => void;
  readonly onCursor: (us: number | null) => void;
}

const rightRoom = 32;
const decades = [-6, -5, -4, -3, -2, -1];
const timeSteps = decades
  .flatMap((power) => [1, 2, 5].map((step) => Number(`${step}e${power}`)))
  .concat(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400);

const isShared = (event: string): boolean => event !== 'mousedown' && event !== 'mouseup';

/** A selection across all of a side is not one in that direction. */
const slack = 2;

/** A drag in both directions selects a box. */
const boxPixels = 24;

const scaleOf = (axis: number): string => `y${axis}`;

const shortNumber = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return value.toExponential(2);
  return String(Number(value.toPrecision(6)));
};

/**
 * One pane of the plot. uPlot draws the axes, the cursor and the selection; this class draws
 * the lines.
 */
export class PanePlot {
  readonly #options: PanePlotOptions;
  readonly #plot: uPlot;
  #lines: readonly PaneLine[] = [];
  ranges: readonly ValueRange[] = [];
  #timeLabels: Labels = { splits: [], texts: [] };
  readonly #axisLabels: Labels[] = [];
  #baseUs = 0;

  constructor(host: HTMLElement, options: PanePlotOptions) {
    this.#options = options;
    this.#plot = new uPlot(this.#plotOptions(), this.#noLines(0, 1), host);
  }

  get axes(): readonly Axis[] {
    return this.#options.pane.axes;
  }

  get surface(): HTMLElement {
    return this.#plot.over;
  }

  /** The part of the pane with lines, from its left edge. */
  get extent(): { readonly left: number; readonly width: number } {
    const { left, width } = this.#plot.bbox;
    return { left: left / uPlot.pxRatio, width: width / uPlot.pxRatio };
  }

  instantAt(left: number): number {
    return this.#baseUs + this.#plot.posToVal(left, 'x') * 1e6;
  }

  instantUnder({ clientX }: MouseEvent): number {
    return this.instantAt(clientX - this.surface.getBoundingClientRect().left);
  }

  pointTo(us: number): void {
    const left = this.#plot.valToPos((us - this.#baseUs) / 1e6, 'x');
    this.#plot.setCursor({ left, top: headHeight });
  }

  resize(width: number, height: number): void {
    if (this.#plot.width !== width || this.#plot.height !== height) {
      this.#plot.setSize({ width, height });
    }
  }

  /** Where a pointer is in the height of the lines, as a share from the bottom. */
  shareUnder({ clientY }: MouseEvent): number {
    const { bottom, height } = this.surface.getBoundingClientRect();
    return (bottom - clientY) / height;
  }

  draw(range: TimeRange, lines: readonly PaneLine[], ranges: readonly ValueRange[]): void {
    this.#lines = lines;
    this.ranges = ranges;
    this.#baseUs = Math.floor(range.fromUs / 3_600_000_000) * 3_600_000_000;
    const min = (range.fromUs - this.#baseUs) / 1e6;
    const max = (range.toUs - this.#baseUs) / 1e6;
    this.#plot.batch(() => {
      this.#plot.setData(this.#noLines(min, max), false);
      this.#plot.setScale('x', { min, max });
      for (const [axis, { low, high }] of ranges.entries()) {
        this.#plot.setScale(scaleOf(axis), { min: low, max: high });
      }
    });
  }

  destroy(): void {
    this.#plot.destroy();
  }

  /** uPlot draws no lines, but asks for data of every axis. */
  #noLines(min: number, max: number): uPlot.AlignedData {
    return [[min, max], ...this.axes.map(() => [null, null])];
  }

  #plotOptions(): uPlot.Options {
    const { pane, axisRoom, width, height, hasTimeAxis, colours, onSelect, onCursor } =
      this.#options;
    const isLane = pane.kind === 'labels';
    const drawn = drawnAxes(pane);
    const grid = { stroke: colours.line, width: 1 };
    const ticks = { stroke: colours.line, width: 1, size: 4 };
    const look = { stroke: colours.quiet, font: colours.font, grid, ticks };
    return {
      width,
      height,
      padding: [headHeight, rightRoom, hasTimeAxis ? 0 : 4, (axisRoom - drawn.length) * axisWidth],
      legend: { show: false },
      scales: {
        x: { time: false, auto: false },
        ...Object.fromEntries(this.axes.map((_, at) => [scaleOf(at), { auto: false }])),
      },
      series: [{}, ...this.axes.map((_, at) => ({ scale: scaleOf(at), points: { show: false } }))],
      axes: [
        {
          ...look,
          show: true,
          size: hasTimeAxis ? timeAxisHeight : 0,
          space: 96,
          incrs: timeSteps,
          values: (_plot, splits, _axis, _space, step) => {
            const texts = splits.map((at) =>
              hasTimeAxis ? formatTick(this.#baseUs + at * 1e6, step) : '',
            );
            this.#timeLabels = { splits, texts };
            return texts;
          },
          ticks: { ...ticks, show: hasTimeAxis },
        },
        ...drawn.map(({ look: own }, at) => ({
          ...look,
          scale: scaleOf(at),
          stroke: this.#axisColour(own),
          size: axisWidth,
          space: 24,
          values: (_plot: uPlot, splits: number[]) => {
            const texts = splits.map(isLane ? () => '' : shortNumber);
            this.#axisLabels[at] = { splits, texts };
            return texts;
          },
          // Lines of several axes would be a maze.
          grid: { ...grid, show: !isLane && at === 0 },
          ticks: { ...ticks, show: !isLane },
        })),
      ],
      cursor: {
        x: true,
        y: false,
        points: { show: false },
        drag: { x: true, y: !isLane, uni: boxPixels, setScale: false, dist: 4 },
        // Synchronised by position, so that panes agree while the plot moves under the pointer.
        sync: {
          key: 'signals',
          setSeries: false,
          scales: [null, null],
          filters: { pub: isShared, sub: isShared },
        },
        bind: {
          mousedown: (_plot, _target, handler) => (event) =>
            event.button === 0 && !event.shiftKey ? handler(event) : null,
          dblclick: () => () => null,
        },
      },
      hooks: {
        draw: [(plot) => this.#drawLines(plot)],
        setCursor: [
          ({ cursor }) => {
            const left = cursor.left ?? -1;
            onCursor(left < 0 ? null : this.instantAt(left));
          },
        ],
        setSelect: [
          (plot) => {
            const { left, top, width: wide, height: tall } = plot.select;
            if (wide <= 0 || tall <= 0) return;
            const { clientWidth, clientHeight } = plot.over;
            onSelect({
              fromUs: this.instantAt(left),
              toUs: this.instantAt(left + wide),
              isWide: wide < clientWidth - slack,
              top: top / clientHeight,
              bottom: (top + tall) / clientHeight,
              isTall: tall < clientHeight - slack,
            });
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    };
  }

  #axisColour(look: number | null): string {
    const { pane, colours } = this.#options;
    const isAlone = drawnAxes(pane).length === 1;
    return (isAlone || look === null ? null : colours.lines[look]) ?? colours.quiet;
  }

  /** Coordinates of a picture with `ratio` pixels for each pixel of the page. */
  #scaled(plot: uPlot, ratio: number): Omit<Canvas, 'context'> {
    const { min = 0, max = 1 } = plot.scales.x ?? {};
    const scale = ratio / uPlot.pxRatio;
    const box = {
      left: plot.bbox.left * scale,
      top: plot.bbox.top * scale,
      width: plot.bbox.width * scale,
      height: plot.bbox.height * scale,
    };
    const perUs = box.width / ((max - min) * 1e6);
    const startUs = this.#baseUs + min * 1e6;
    return {
      ratio,
      box,
      x: (us) => box.left + (us - startUs) * perUs,
      y: (value, axis) => {
        const { low, high } = this.ranges[axis] ?? { low: 0, high: 1 };
        return box.top + ((high - value) / (high - low)) * box.height;
      },
    };
  }

  picture(): PanePicture {
    const { pane, hasTimeAxis } = this.#options;
    const scaled = this.#scaled(this.#plot, 1);
    const { splits, texts } = this.#timeLabels;
    return {
      ...scaled,
      height: this.#plot.height,
      lines: this.#lines,
      hasTimeAxis,
      timeTicks: splits.map((split, at) => ({
        at: scaled.x(this.#baseUs + split * 1e6),
        text: texts[at] ?? '',
      })),
      axes:
        pane.kind === 'labels'
          ? []
          : drawnAxes(pane).map(({ title, look }, axis) => ({
              x: scaled.box.left - axis * axisWidth,
              title,
              colour: this.#axisColour(look),
              ticks: (this.#axisLabels[axis]?.splits ?? []).map((split, at) => ({
                at: scaled.y(split, axis),
                text: this.#axisLabels[axis]?.texts[at] ?? '',
              })),
            })),
    };
  }

  #drawLines(plot: uPlot): void {
    const canvas = { ...this.#scaled(plot, uPlot.pxRatio), context: plot.ctx, isLive: true };
    drawLines(canvas, this.#lines, this.#options.colours);
  }
}
