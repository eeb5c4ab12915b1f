import { readCanvasStyle } from '../../../ui/text-width.ts';
import { type FlowLayout, valueLength } from '../layout/flow-layout.ts';
import { type Tone, tones } from '../live/reading.ts';
import { type Box, inSight, legibleScale, type Size, type View } from './viewport.ts';

export type WireColours = Readonly<
  Record<Tone | 'accent' | 'text' | 'quiet' | 'surface' | 'box' | 'sign' | 'font', string>
>;

export const readWireColours = (place: HTMLElement): WireColours =>
  readCanvasStyle(place, ({ colourOf, font }) => ({
    idle: colourOf('rim'),
    good: colourOf('edge'),
    awaited: colourOf('quiet'),
    broken: colourOf('bad'),
    accent: colourOf('accent'),
    text: colourOf('text'),
    quiet: colourOf('quiet'),
    surface: colourOf('surface'),
    box: colourOf('rim'),
    sign: colourOf('good'),
    font,
  }));

export interface WireLabel {
  readonly text: string;
  readonly tone: Tone;
}

export interface WireLooks {
  readonly toneOfNode: (node: number) => Tone;
  readonly toneOfEdge: (edge: number) => Tone;
  readonly valueOf: (node: number) => WireLabel | null;
  readonly noteOf: (edge: number) => string | null;
  readonly marked: Uint8Array | null;
}

interface Canvas {
  readonly context: CanvasRenderingContext2D;
  readonly size: Size;
  readonly view: View;
  readonly colours: WireColours;
}

const dimmed = 0.25;
/** More wires than this become fainter, except those with errors. */
const [crowded, faintest] = [160, 0.3];
const noteLength = 120;

const styles: Readonly<Record<Tone, { width: number; dash: readonly number[] }>> = {
  idle: { width: 1, dash: [] },
  good: { width: 1.25, dash: [] },
  awaited: { width: 1.25, dash: [2, 4] },
  broken: { width: 2, dash: [7, 3] },
};

class Lines {
  readonly #paths = new Map<string, { path: Path2D; tone: Tone; isMarked: boolean }>();

  of(tone: Tone, isMarked: boolean): Path2D {
    const key = `${tone} ${isMarked}`;
    const known = this.#paths.get(key) ?? { path: new Path2D(), tone, isMarked };
    this.#paths.set(key, known);
    return known.path;
  }

  draw({ context, colours }: Canvas, hasMarks: boolean, crowd: number): void {
    const all = [...this.#paths.values()].sort(
      (one, other) =>
        Number(one.isMarked) - Number(other.isMarked) ||
        tones.indexOf(one.tone) - tones.indexOf(other.tone),
    );
    for (const { path, tone, isMarked } of all) {
      const { width, dash } = styles[tone];
      const isHighlighted = hasMarks && isMarked;
      const isCrowded = crowd > crowded && tone !== 'broken' && !isHighlighted;
      const alpha = isCrowded ? Math.max(faintest, crowded / crowd) : 1;
      context.globalAlpha = hasMarks && !isMarked ? dimmed * alpha : alpha;
      context.lineWidth = isHighlighted ? width + 0.75 : width;
      context.strokeStyle = isHighlighted && tone === 'good' ? colours.accent : colours[tone];
      // Dashes are invisible among a thousand lines, and slow to draw.
      context.setLineDash(isCrowded ? [] : [...dash]);
      context.stroke(path);
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }
}

const curve = (path: Path2D, x1: number, y1: number, x2: number, y2: number): void => {
  const reach = Math.max(16, Math.abs(x2 - x1) / 2);
  path.moveTo(x1, y1);
  path.bezierCurveTo(x1 + reach, y1, x2 - reach, y2, x2, y2);
};

/** One shape per tone at the start of a wire: colour alone is not enough. */
const drawSign = ({ context, colours }: Canvas, tone: Tone, x: number, y: number): void => {
  const half = 3.5;
  context.beginPath();
  context.lineWidth = 1.5;
  const colour = tone === 'good' ? colours.sign : colours[tone];
  context.fillStyle = tone === 'broken' || tone === 'good' ? colour : colours.surface;
  context.strokeStyle = colour;
  if (tone === 'broken') context.rect(x - half, y - half, 2 * half, 2 * half);
  else context.arc(x, y, half - 0.5, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
};

const write = (
  { context, colours }: Canvas,
  text: string,
  colour: string,
  [x, y, room]: readonly [number, number, number],
): void => {
  context.strokeStyle = colours.surface;
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeText(text, x, y, room);
  context.fillStyle = colour;
  context.fillText(text, x, y, room);
};

const markedWays = ({ wiring, shown }: FlowLayout, marked: Uint8Array | null) => {
  const ways = new Uint8Array(wiring.items);
  const pieces = new Uint8Array(wiring.from.length);
  const isMarked = (node: number | undefined): boolean => marked?.[node ?? 0] === 1;
  for (const [piece, edge] of marked ? wiring.edges.entries() : []) {
    if (edge < 0 || !isMarked(shown.sources[edge]) || !isMarked(shown.targets[edge])) continue;
    for (let at = piece; at >= 0 && !pieces[at]; ) {
      pieces[at] = 1;
      const item = wiring.from[at] ?? 0;
      ways[item] = 1;
      at = wiring.into[item] ?? -1;
    }
  }
  return { ways, pieces };
};

const isInside = (box: Box, x1: number, x2: number, y1: number, y2: number): boolean =>
  x2 >= box.left &&
  x1 <= box.right &&
  Math.max(y1, y2) >= box.top - 20 &&
  Math.min(y1, y2) <= box.bottom + 20;

export const drawWires = (canvas: Canvas, layout: FlowLayout, looks: WireLooks): void => {
  const { context, size, view, colours } = canvas;
  const { columns, heights, wiring, shown } = layout;
  const { marked } = looks;
  const seen = inSight(view, size);
  let crowd = 0;
  const lines = new Lines();
  const arrows = new Lines();
  const columnOf = (item: number) => columns[wiring.columns[item] ?? 0];
  const isLegible = view.scale >= legibleScale;
  const { ways, pieces } = markedWays(layout, marked);
  const ends: (readonly [edge: number, x: number, y: number])[] = [];

  for (let piece = 0; piece < wiring.from.length; piece++) {
    const [from, to] = [wiring.from[piece] ?? 0, wiring.to[piece] ?? 0];
    const [left, right] = [columnOf(from), columnOf(to)];
    if (!left || !right) continue;
    const [x1, x2] = [left.left + left.width, right.left];
    const [y1, y2] = [heights[from] ?? 0, heights[to] ?? 0];
    if (!isInside(seen, x1, x2, y1, y2)) continue;
    crowd++;
    const edge = wiring.edges[piece] ?? -1;
    const owner = wiring.owners[from] ?? 0;
    const tone = edge < 0 ? looks.toneOfNode(owner) : looks.toneOfEdge(edge);
    curve(lines.of(tone, pieces[piece] === 1), x1, y1, edge < 0 ? x2 : x2 - 5, y2);
    if (edge < 0 || !isLegible) continue;
    ends.push([edge, x2, y2]);
    const arrow = arrows.of(tone === 'broken' ? 'broken' : 'idle', pieces[piece] === 1);
    arrow.moveTo(x2 - 6, y2 - 3);
    arrow.lineTo(x2 - 1.5, y2);
    arrow.lineTo(x2 - 6, y2 + 3);
  }
  for (const edge of wiring.back) {
    const [from, to] = [shown.sources[edge] ?? 0, shown.targets[edge] ?? 0];
    const [left, right] = [columnOf(from), columnOf(to)];
    if (!left || !right) continue;
    const isMarked = Boolean(marked?.[from] && marked[to]);
    const path = lines.of(looks.toneOfEdge(edge), isMarked);
    curve(path, left.left + left.width, heights[from] ?? 0, right.left, heights[to] ?? 0);
  }
  for (let item = 0; item < wiring.items; item++) {
    const column = columnOf(item);
    const y = heights[item] ?? 0;
    if (!column || !isInside(seen, column.left, column.left + column.width, y, y)) continue;
    const isNode = item < wiring.nodes;
    const tone = looks.toneOfNode(wiring.owners[item] ?? 0);
    const isMarked = isNode ? marked?.[item] === 1 : ways[item] === 1;
    const start = isNode ? column.left + column.boxWidth : column.left;
    if (start < column.left + column.width) {
      const path = lines.of(tone, isMarked);
      path.moveTo(start, y);
      path.lineTo(column.left + column.width, y);
    }
    if (!isNode || isLegible) continue;
    // Too small to read: a box on the canvas instead of an element.
    context.globalAlpha = marked && !isMarked ? dimmed : 1;
    context.fillStyle = tone === 'broken' ? colours.broken : colours.box;
    const height = layout.boxHeights[item] ?? 0;
    context.fillRect(column.left, y - height / 2, column.boxWidth, height);
    context.globalAlpha = 1;
  }
  lines.draw(canvas, marked !== null, crowd);
  arrows.draw(canvas, marked !== null, crowd);
  if (!isLegible) return;

  context.font = colours.font;
  context.textBaseline = 'alphabetic';
  for (let node = 0; node < wiring.nodes; node++) {
    const column = columnOf(node);
    const y = heights[node] ?? 0;
    if (!column || !isInside(seen, column.left, column.left + column.width, y, y)) continue;
    const value = looks.valueOf(node);
    if (!value) continue;
    const x = column.left + column.boxWidth;
    context.globalAlpha = marked && !marked[node] ? dimmed : 1;
    drawSign(canvas, value.tone, x + 5, y);
    context.textAlign = 'left';
    const colour = value.tone === 'good' ? colours.text : colours[value.tone];
    write(canvas, value.text, colour, [x + 13, y - 4, valueLength - 16]);
  }
  context.globalAlpha = 1;
  context.textAlign = 'right';
  for (const [edge, x, y] of ends) {
    const note = looks.noteOf(edge);
    if (note === null) continue;
    const colour = looks.toneOfEdge(edge) === 'broken' ? colours.broken : colours.quiet;
    write(canvas, note, colour, [x - 9, y - 5, noteLength]);
  }
};
