import { formatInstant } from '../../format/figures.ts';
import { saveFile, stampedName } from '../../ui/save-file.ts';
import { drawLines, type PlotColours, type Surface } from '../draw-lines.ts';
import { type Cursors, rangeOfCursors } from '../measure.ts';
import type { PanePicture } from '../pane-plot.ts';
import { axisWidth } from '../panes.ts';
import { formatSpan } from '../readings.ts';
import type { TimeRange } from '../time-range.ts';
import { SvgSurface } from './svg-surface.ts';

/** What the plot shows, in pixels of the page. */
export interface Picture {
  readonly width: number;
  readonly colours: PlotColours;
  readonly range: TimeRange;
  readonly cursors: Cursors | null;
  /** From top to bottom. */
  readonly panes: readonly PanePicture[];
}

const footHeight = 24;
const tickLength = 4;
const textGap = 4;
const keyLength = 24;
const entryGap = 16;
const bandAlpha = 0.08;

export const heightOf = ({ panes }: Picture): number =>
  panes.reduce((sum, { height }) => sum + height, footHeight);

type Point = readonly [x: number, y: number];

/** A line of one pixel is sharp in the middle of it. */
const sharp = (at: number): number => Math.round(at - 0.5) + 0.5;

const rule = (surface: Surface, colour: string, from: Point, to: Point): void => {
  surface.beginPath();
  surface.moveTo(sharp(from[0]), sharp(from[1]));
  surface.lineTo(sharp(to[0]), sharp(to[1]));
  surface.lineWidth = 1;
  surface.strokeStyle = colour;
  surface.stroke();
};

const shortened = (surface: Surface, text: string, width: number): string => {
  if (surface.measureText(text).width <= width) return text;
  let length = text.length - 1;
  while (length > 1 && surface.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return `${text.slice(0, length)}…`;
};

const drawGrid = (surface: Surface, pane: PanePicture, colours: PlotColours): void => {
  const { box, axes, timeTicks, hasTimeAxis } = pane;
  const [right, bottom] = [box.left + box.width, box.top + box.height];
  surface.textBaseline = 'top';
  surface.textAlign = 'center';
  surface.fillStyle = colours.quiet;
  for (const { at, text } of timeTicks) {
    rule(surface, colours.line, [at, box.top], [at, bottom + (hasTimeAxis ? tickLength : 0)]);
    if (hasTimeAxis) surface.fillText(text, at, bottom + tickLength + textGap);
  }
  surface.textBaseline = 'middle';
  surface.textAlign = 'right';
  for (const [index, { x, title, colour, ticks }] of axes.entries()) {
    surface.fillStyle = colour;
    for (const { at, text } of ticks) {
      rule(surface, colours.line, [x - tickLength, at], [index === 0 ? right : x, at]);
      surface.fillText(text, x - tickLength - textGap, at);
    }
    const room = axisWidth - 2 * textGap;
    surface.fillText(shortened(surface, title, room), x - textGap, box.top / 2);
  }
};

const drawLegend = (surface: Surface, pane: PanePicture, { text, font }: PlotColours): void => {
  const { box, lines } = pane;
  const y = box.top / 2;
  let x = box.left + textGap;
  surface.font = font;
  surface.textBaseline = 'middle';
  surface.textAlign = 'left';
  for (const { name, colour, dash } of lines) {
    surface.setLineDash([...dash]);
    rule(surface, colour, [x, y], [x + keyLength, y]);
    surface.setLineDash([]);
    surface.fillStyle = text;
    surface.fillText(name, x + keyLength + textGap, y);
    x += keyLength + textGap + surface.measureText(name).width + entryGap;
  }
};

const drawCursors = (surface: Surface, pane: PanePicture, { cursors, colours }: Picture): void => {
  if (!cursors) return;
  const { box, x } = pane;
  const inside = (us: number): number => Math.min(box.left + box.width, Math.max(box.left, x(us)));
  const { fromUs, toUs } = rangeOfCursors(cursors);
  const [start, end] = [inside(fromUs), inside(toUs)];
  surface.globalAlpha = bandAlpha;
  surface.fillStyle = colours.accent;
  surface.fillRect(start, 0, end - start, box.top + box.height);
  surface.globalAlpha = 1;
  surface.textBaseline = 'bottom';
  surface.textAlign = 'left';
  for (const [name, us] of [
    ['A', cursors.a],
    ['B', cursors.b],
  ] as const) {
    if (inside(us) !== x(us)) continue;
    if (pane.hasTimeAxis) surface.fillText(name, x(us) + textGap, box.top + box.height);
    rule(surface, colours.accent, [x(us), 0], [x(us), box.top + box.height]);
  }
};

const dateText = (us: number): string => {
  const date = new Date(us / 1000);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
};

const footOf = ({ range, cursors }: Picture): string => {
  const { fromUs, toUs } = range;
  const window = `${dateText(fromUs)} ${formatInstant(fromUs, 6)} – ${formatInstant(toUs, 6)}`;
  if (!cursors) return window;
  const { a, b } = cursors;
  return `${window} · A ${formatInstant(a, 6)} · B ${formatInstant(b, 6)} · Δt ${formatSpan(b - a)}`;
};

/** Draws the panes as the page shows them, with the same points, and the time below. */
export const drawPicture = (surface: Surface, picture: Picture): void => {
  const { width, colours, panes } = picture;
  const height = heightOf(picture);
  surface.fillStyle = colours.surface;
  surface.fillRect(0, 0, width, height);
  surface.font = colours.font;
  let top = 0;
  for (const pane of panes) {
    surface.save();
    surface.translate(0, top);
    if (top > 0) rule(surface, colours.line, [0, 0], [width, 0]);
    drawGrid(surface, pane, colours);
    drawCursors(surface, pane, picture);
    drawLines({ ...pane, context: surface }, pane.lines, colours);
    drawLegend(surface, pane, colours);
    surface.restore();
    top += pane.height;
  }
  surface.fillStyle = colours.quiet;
  surface.textBaseline = 'middle';
  surface.textAlign = 'left';
  surface.fillText(footOf(picture), textGap, top + footHeight / 2);
};

/** Pixels of a PNG for each of the page, so that it is sharp in print, too. */
const ratio = 2;

const pngOf = async (picture: Picture, canvas: HTMLCanvasElement): Promise<Blob | null> => {
  canvas.width = Math.round(picture.width * ratio);
  canvas.height = Math.round(heightOf(picture) * ratio);
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.scale(ratio, ratio);
  drawPicture(context, picture);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
};

const svgOf = (picture: Picture, canvas: HTMLCanvasElement): Blob | null => {
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.font = picture.colours.font;
  const surface = new SvgSurface(picture.width, heightOf(picture), (text) =>
    context.measureText(text),
  );
  drawPicture(surface, picture);
  return new Blob([surface.toString()], { type: 'image/svg+xml' });
};

export const savePicture = async (picture: Picture, format: 'png' | 'svg'): Promise<void> => {
  const canvas = document.createElement('canvas');
  const file = format === 'png' ? await pngOf(picture, canvas) : svgOf(picture, canvas);
  if (file) saveFile(file, stampedName('plot', format));
};
