import type { SampleSeries } from '../samples/sample-series.ts';
import type { LabelSpan, LinePoints } from './line-points.ts';

export interface PlotColours {
  readonly lines: readonly string[];
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly bad: string;
  readonly accent: string;
  readonly surface: string;
  readonly font: string;
}

export interface PaneLine {
  /** Signal and unit. */
  readonly name: string;
  readonly series: SampleSeries;
  readonly points: LinePoints;
  readonly spans: readonly LabelSpan[];
  readonly colour: string;
  /** Index of its axis in the pane. */
  readonly axis: number;
  readonly dash: readonly number[];
  readonly isFocused: boolean;
  readonly isFaint: boolean;
  readonly isStep: boolean;
  readonly hasDots: boolean;
}

/** What drawings use of a canvas. */
export type Surface = Pick<
  CanvasRenderingContext2D,
  | ('save' | 'restore' | 'translate' | 'beginPath' | 'moveTo' | 'lineTo' | 'rect' | 'clip')
  | ('stroke' | 'fill' | 'fillRect' | 'fillText')
  | ('globalAlpha' | 'lineWidth' | 'lineJoin' | 'strokeStyle' | 'fillStyle')
  | ('font' | 'textAlign' | 'textBaseline')
> & {
  arc(x: number, y: number, radius: number, start: number, end: number): void;
  setLineDash(dash: number[]): void;
  measureText(text: string): Pick<TextMetrics, 'width'>;
};

export interface Canvas {
  readonly context: Surface;
  /** Drawn many times a second, so that speed counts more than exact outlines. */
  readonly isLive?: boolean;
  readonly ratio: number;
  readonly box: { left: number; top: number; width: number; height: number };
  readonly x: (us: number) => number;
  readonly y: (value: number, axis: number) => number;
}

const width = 1.5;
const focusedWidth = 2.75;
const faint = 0.45;
const markSize = 4;
const dotSpacing = 12;

const tracePath = ({ context, ratio, x, y }: Canvas, line: PaneLine, shift: number): void => {
  const { times, values, breaks } = line.points;
  const { axis } = line;
  context.beginPath();
  let isDown = false;
  let lastY = 0;
  for (let at = 0; at < times.length; at++) {
    const value = values[at] ?? Number.NaN;
    if (!Number.isFinite(value)) {
      isDown = false;
      continue;
    }
    const px = x(times[at] ?? 0) + shift;
    const py = y(value, axis) + shift;
    if (!isDown || breaks[at]) {
      context.moveTo(px, py);
      context.lineTo(px + ratio, py);
    } else if (line.isStep) context.lineTo(px, lastY);
    context.lineTo(px, py);
    isDown = true;
    lastY = py;
  }
};

/**
 * The outline of a wide line is filled, which without a GPU takes five times as long as a line of
 * one pixel. A line of many points is drawn as lines of one pixel side by side.
 */
const manyPoints = 200;

const strokeLine = (canvas: Canvas, line: PaneLine): void => {
  const { context, ratio, isLive = false } = canvas;
  const wide = (line.isFocused ? focusedWidth : width) * ratio;
  // Where lines overlap, a faint one would not be faint.
  const isSplit = isLive && !line.isFaint && line.points.times.length > manyPoints;
  const strokes = isSplit ? Math.ceil(wide) : 1;
  context.lineWidth = isSplit ? 1 : wide;
  context.lineJoin = 'round';
  context.setLineDash(line.dash.map((each) => each * ratio));
  context.strokeStyle = line.colour;
  for (let stroke = 0; stroke < strokes; stroke++) {
    const share = strokes === 1 ? 0 : stroke / (strokes - 1) - 0.5;
    tracePath(canvas, line, share * (wide - 1));
    context.stroke();
  }
  context.setLineDash([]);
};

const drawDots = (
  { context, ratio, box, x, y }: Canvas,
  { points, colour, axis, isFocused }: PaneLine,
) => {
  const { times, values, samples } = points;
  if (samples > box.width / (dotSpacing * ratio)) return;
  const radius = (isFocused ? 3 : 2) * ratio;
  context.fillStyle = colour;
  for (let at = 0; at < samples; at++) {
    const value = values[at] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    context.beginPath();
    context.arc(x(times[at] ?? 0), y(value, axis), radius, 0, 2 * Math.PI);
    context.fill();
  }
};

const drawInvalid = (canvas: Canvas, { points, series, axis }: PaneLine, bad: string): void => {
  const { context, ratio, box, x, y } = canvas;
  const size = markSize * ratio;
  context.beginPath();
  for (const index of points.invalid) {
    const value = series.valueAt(index);
    const px = x(series.timeAt(index));
    const py = Number.isFinite(value) ? y(value, axis) : box.top + box.height - 2 * size;
    context.moveTo(px - size, py - size);
    context.lineTo(px + size, py + size);
    context.moveTo(px - size, py + size);
    context.lineTo(px + size, py - size);
  }
  context.lineWidth = 1.5 * ratio;
  context.strokeStyle = bad;
  context.stroke();
};

const drawLabels = (
  canvas: Canvas,
  { spans, axis }: PaneLine,
  { text, font }: PlotColours,
): void => {
  const { context, ratio, box, x, y } = canvas;
  const room = 3 * ratio;
  context.font = font.replace(/^[\d.]+/, (size) => String(Number(size) * ratio));
  context.textBaseline = 'bottom';
  context.textAlign = 'left';
  context.fillStyle = text;
  for (const { fromUs, toUs, value, label } of spans) {
    const left = Math.max(box.left, x(fromUs)) + room;
    if (context.measureText(label).width > x(toUs) - left) continue;
    context.fillText(label, left, y(value, axis) - ratio);
  }
};

export const drawLines = (
  canvas: Canvas,
  lines: readonly PaneLine[],
  colours: PlotColours,
): void => {
  const { context, box } = canvas;
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height);
  context.clip();
  for (const line of lines) {
    context.globalAlpha = line.isFaint ? faint : 1;
    strokeLine(canvas, line);
    if (line.hasDots) drawDots(canvas, line);
    drawInvalid(canvas, line, colours.bad);
    drawLabels(canvas, line, colours);
  }
  context.restore();
};
