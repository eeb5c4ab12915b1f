import type { FollowedInstance } from '../../../gateway/followed-instance.ts';
import type { FlowModel } from '../flow-model.ts';
import type { FlowLayout } from '../layout/flow-layout.ts';
import { idle, shortValue } from '../live/reading.ts';
import { drawWires, type WireLabel, type WireLooks } from './draw-wires.ts';
import type { Size, View } from './viewport.ts';
import type { WireColours } from './wire-colours.ts';

/** What the wires look like by now. Looked up as they are drawn: most of them are out of sight. */
const looksOf = (model: FlowModel, layout: FlowLayout, source: FollowedInstance): WireLooks => {
  const { graph, readings } = model;
  const { shown } = layout;
  const marked = model.marked.peek();
  const shownReadings = model.shownReadings();
  const labelOf = (at: number): WireLabel | null => {
    const entry = readings.signalOf(source, shown.nodes[at] ?? 0);
    if (!entry) return null;
    const { tone, reason } = shownReadings.nodes[at] ?? idle;
    const hasValue = tone === 'good' || tone === 'idle' || reason === null;
    return { tone, text: hasValue ? shortValue(entry) : reason };
  };
  const noteOf = (at: number): string | null => {
    const [edge = 0, ...others] = shown.edges[at] ?? [];
    const binding = graph.bindings[edge] ?? null;
    const from = graph.sources[edge] ?? 0;
    if (others.length > 0 || binding === null) return null;
    const reading = readings.edges[edge];
    // A signal that is broken itself says so on its own wire.
    if (reading?.reason && reading.reason !== readings.nodes[from]?.reason) {
      return graph.nodes[from]?.kind === 'signal' ? `✕ ${reading.reason}` : null;
    }
    const isMarked = marked?.[shown.sources[at] ?? 0] && marked[shown.targets[at] ?? 0];
    if (!isMarked) return null;
    const entry = readings.signalOf(source, from);
    return entry?.bindings.find(({ id }) => id === binding)?.raw ?? null;
  };
  return {
    toneOfNode: (at) => shownReadings.nodes[at]?.tone ?? 'idle',
    toneOfEdge: (at) => shownReadings.edges[at]?.tone ?? 'idle',
    valueOf: labelOf,
    noteOf,
    marked,
  };
};

interface Place {
  readonly canvas: HTMLCanvasElement;
  readonly size: Size;
  readonly view: View;
  readonly colours: WireColours;
}

/** Draws what is in sight of the wires. */
export const paint = (model: FlowModel, instance: FollowedInstance, place: Place): void => {
  const { canvas, size, view } = place;
  const layout = model.layout.peek();
  const context = canvas.getContext('2d');
  if (!context || !layout) return;
  const ratio = devicePixelRatio;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  const scale = ratio * view.scale;
  context.setTransform(scale, 0, 0, scale, ratio * view.x, ratio * view.y);
  drawWires({ ...place, context }, layout, looksOf(model, layout, instance));
};
