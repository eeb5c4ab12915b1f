import uPlot from 'uplot';
import { type Canvas, drawLines, type PaneLine, type PlotColours } from './draw-lines.ts';
import { timeAxisHeight } from './panes.ts';
import { formatTick } from './readings.ts';
import type { TimeRange } from './time-range.ts';

interface PanePlotOptions {
  readonly kind: 'numbers' | 'labels';
  readonly hasTimeAxis: boolean;
  readonly width: number;
  readonly height: number;
  readonly colours: PlotColours;
  readonly onSelect: (fromUs: number, toUs: number) => void;
  readonly onCursor: (us: number | null) => void;
}

const axisWidth = 64;
const headHeight = 20;
const rightRoom = 32;
const decades = [-6, -5, -4, -3, -2, -1];
const timeSteps = decades
  .flatMap((power) => [1, 2, 5].map((step) => Number(`${step}e${power}`)))
  .concat(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400);

const isShared = (event: string): boolean => event !== 'mousedown' && event !== 'mouseup';

const laneRange = (low: number, high: number): [number, number] => {
  const span = Math.max(1, high - low);
  return [low - span * 0.25, high + span * 0.9];
};

const numberRange = (low: number, high: number): [number, number] => {
  const room = high > low ? (high - low) * 0.08 : Math.max(1, Math.abs(low) * 0.05);
  return [low - room, high + room];
};

const rangeOf = (kind: PanePlotOptions['kind'], lines: readonly PaneLine[]): [number, number] => {
  const low = Math.min(...lines.map(({ points }) => points.low));
  const high = Math.max(...lines.map(({ points }) => points.high));
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  return kind === 'labels' ? laneRange(low, high) : numberRange(low, high);
};

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
  #baseUs = 0;

  constructor(host: HTMLElement, options: PanePlotOptions) {
    this.#options = options;
    this.#plot = new uPlot(
      this.#plotOptions(),
      [
        [0, 1],
        [null, null],
      ],
      host,
    );
  }

  get surface(): HTMLElement {
    return this.#plot.over;
  }

  instantAt(left: number): number {
    return this.#baseUs + this.#plot.posToVal(left, 'x') * 1e6;
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

  draw(range: TimeRange, lines: readonly PaneLine[]): void {
    this.#lines = lines;
    this.#baseUs = Math.floor(range.fromUs / 3_600_000_000) * 3_600_000_000;
    const min = (range.fromUs - this.#baseUs) / 1e6;
    const max = (range.toUs - this.#baseUs) / 1e6;
    const [low, high] = rangeOf(this.#options.kind, lines);
    this.#plot.batch(() => {
      this.#plot.setData(
        [
          [min, max],
          [null, null],
        ],
        false,
      );
      this.#plot.setScale('x', { min, max });
      this.#plot.setScale('y', { min: low, max: high });
    });
  }

  destroy(): void {
    this.#plot.destroy();
  }

  #plotOptions(): uPlot.Options {
    const { width, height, hasTimeAxis, colours, onSelect, onCursor } = this.#options;
    const isLane = this.#options.kind === 'labels';
    const grid = { stroke: colours.line, width: 1 };
    const ticks = { stroke: colours.line, width: 1, size: 4 };
    const look = { stroke: colours.quiet, font: colours.font, grid, ticks };
    return {
      width,
      height,
      padding: [headHeight, rightRoom, hasTimeAxis ? 0 : 4, 0],
      legend: { show: false },
      scales: { x: { time: false, auto: false }, y: { auto: false } },
      series: [{}, { show: true, points: { show: false } }],
      axes: [
        {
          ...look,
          show: true,
          size: hasTimeAxis ? timeAxisHeight : 0,
          space: 96,
          incrs: timeSteps,
          values: (_plot, splits, _axis, _space, step) =>
            hasTimeAxis
              ? splits.map((at) => formatTick(this.#baseUs + at * 1e6, step))
              : splits.map(() => ''),
          ticks: { ...ticks, show: hasTimeAxis },
        },
        {
          ...look,
          size: axisWidth,
          space: 24,
          values: (_plot, splits) => splits.map(isLane ? () => '' : shortNumber),
          grid: { ...grid, show: !isLane },
          ticks: { ...ticks, show: !isLane },
        },
      ],
      cursor: {
        x: true,
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: 4 },
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
            const { left, width: wide } = plot.select;
            if (wide <= 0) return;
            onSelect(this.instantAt(left), this.instantAt(left + wide));
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    };
  }

  #drawLines(plot: uPlot): void {
    const { min: x0 = 0, max: x1 = 1 } = plot.scales.x ?? {};
    const { min: y0 = 0, max: y1 = 1 } = plot.scales.y ?? {};
    const box = plot.bbox;
    const perUs = box.width / ((x1 - x0) * 1e6);
    const perValue = box.height / (y1 - y0);
    const startUs = this.#baseUs + x0 * 1e6;
    const canvas: Canvas = {
      context: plot.ctx,
      ratio: uPlot.pxRatio,
      box,
      x: (us) => box.left + (us - startUs) * perUs,
      y: (value) => box.top + (y1 - value) * perValue,
    };
    drawLines(canvas, this.#lines, this.#options.colours);
  }
}
