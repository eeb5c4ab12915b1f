import { effect, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FollowedInstance } from '../../../gateway/followed-instance.ts';
import { isShown } from '../../../state/pages.ts';
import { pictures } from '../../../state/pictures.ts';
import { theme } from '../../../state/theme.ts';
import { onResize } from '../../../ui/on-resize.ts';
import { setter } from '../../../ui/set-signal.ts';
import type { FlowModel } from '../flow-model.ts';
import type { FlowLayout } from '../layout/flow-layout.ts';
import { idle, shortValue } from '../live/reading.ts';
import {
  drawWires,
  readWireColours,
  type WireColours,
  type WireLabel,
  type WireLooks,
} from './draw-wires.ts';
import { FlowBoxes } from './flow-boxes.tsx';
import { followGestures } from './gestures.ts';
import { columnTitle } from './node-text.ts';
import {
  type Box,
  firstView,
  fitted,
  kept,
  legibleScale,
  neighbourOf,
  revealing,
  type Size,
  type View,
  zoomed,
} from './viewport.ts';

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

const paint = (model: FlowModel, instance: FollowedInstance, place: Place): void => {
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

const boxOf = ({ columns, wiring, heights, boxHeights }: FlowLayout, at: number): Box => {
  const { left = 0, width = 0 } = columns[wiring.columns[at] ?? 0] ?? {};
  const y = heights[at] ?? 0;
  const half = (boxHeights[at] ?? 0) / 2;
  return { left, right: left + width, top: y - half, bottom: y + half };
};

const directions = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
} as const;
const moves = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;
const isArrow = (key: string): key is keyof typeof directions => key in directions;
const panPx = 80;
const titleRoom = 28;
const zoomStep = 1.25;

interface DrawingProps {
  readonly model: FlowModel;
  readonly instance: FollowedInstance;
}

export const FlowDrawing = ({ model, instance }: DrawingProps) => {
  const place = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const boxes = useRef<HTMLDivElement>(null);
  const titles = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const size = useSignal<Size>({ width: 0, height: 0 });
  const layout = model.layout.value;
  const scale = useSignal(1);

  // A diagram that was not moved is fitted to a resized window.
  const isMoved = useRef(false);
  const move = (view: View): void => {
    const drawing = model.layout.peek();
    isMoved.current = true;
    if (drawing) model.view.value = kept(view, drawing, size.peek());
  };
  const zoom = (factor: number): void => {
    const { width, height } = size.peek();
    const view = model.view.peek();
    if (view) move(zoomed(view, factor, width / 2, height / 2));
  };
  const showAll = (): void => {
    const drawing = model.layout.peek();
    if (drawing) model.view.value = fitted(drawing, size.peek());
  };
  const select = (at: number): void => {
    const [drawing, view] = [model.layout.peek(), model.view.peek()];
    if (!drawing || !view) return;
    model.selected.value = drawing.shown.nodes[at] ?? null;
    wantsFocus.current = true;
    move(revealing(view, boxOf(drawing, at), size.peek()));
  };
  const step = (direction: (typeof directions)[keyof typeof directions]): void => {
    const drawing = model.layout.peek();
    if (!drawing) return;
    const present = model.selected.peek() === null ? -1 : model.shownAs(model.selected.peek() ?? 0);
    const first = drawing.columns[0]?.items[0] ?? 0;
    select(present < 0 ? first : neighbourOf(drawing, present, direction));
  };
  const press = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event;
    const selected = model.selected.peek();
    const view = model.view.peek();
    if (event.altKey || event.ctrlKey || event.metaKey || !view) return;
    if (isArrow(key) && shiftKey) {
      const [dx, dy] = moves[directions[key]];
      move({ ...view, x: view.x - dx * panPx, y: view.y - dy * panPx });
    } else if (isArrow(key)) step(directions[key]);
    else if (key === '+' || key === '=') zoom(zoomStep);
    else if (key === '-') zoom(1 / zoomStep);
    else if (key === '0') showAll();
    else if (key === 'f' && selected !== null) model.follow(selected);
    else if (key === ' ' && selected !== null && model.isFoldable(selected)) model.toggle(selected);
    else if (key === 'Escape' && model.followed.peek() !== null) model.follow(null);
    else if (key === 'Escape') model.selected.value = null;
    else return;
    event.preventDefault();
  };

  useLayoutEffect(() => {
    const node = place.current;
    if (!node) return;
    const unobserve = onResize(node, setter(size));
    const stop = followGestures(node, {
      view: () => model.view.peek() ?? { x: 0, y: 0, scale: 1 },
      move,
    });
    return () => {
      unobserve();
      stop();
    };
  }, [model]);

  // After a new layout the selected node keeps its position on the screen.
  useEffect(() => {
    let before: { layout: FlowLayout; followed: number | null } | null = null;
    return effect(() => {
      const [next, { width }] = [model.layout.value, size.value];
      if (!next || width === 0) return;
      const [view, followed] = [model.view.peek(), model.followed.peek()];
      const selected = model.selected.peek();
      if (before && before.followed !== followed) isMoved.current = false;
      if (!view || !isMoved.current) model.view.value = firstView(next, size.peek());
      else if (before && before.layout !== next && selected !== null) {
        const at = next.shown.shownAs[selected] ?? -1;
        const was = before.layout.shown.shownAs[selected] ?? -1;
        if (at >= 0 && was >= 0) {
          const [from, to] = [boxOf(before.layout, was), boxOf(next, at)];
          const shift = {
            x: (from.left - to.left) * view.scale,
            y: (from.top - to.top) * view.scale,
          };
          move({ ...view, x: view.x + shift.x, y: view.y + shift.y });
        } else if (at >= 0) move(revealing(view, boxOf(next, at), size.peek()));
      } else if (before?.layout !== next) move(view);
      before = { layout: next, followed };
    });
  }, [model]);

  useEffect(() => {
    let colours: WireColours | null = null;
    let shownTheme = '';
    let cancel = (): void => {};
    const draw = (): void => {
      const view = model.view.peek();
      if (!view || !canvas.current || !place.current) return;
      const scheme = `${theme.peek()} ${matchMedia('(prefers-color-scheme: dark)').matches}`;
      if (!colours || scheme !== shownTheme) colours = readWireColours(place.current);
      shownTheme = scheme;
      const transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
      if (boxes.current) boxes.current.style.transform = transform;
      if (titles.current) titles.current.style.transform = `translateX(${view.x}px)`;
      scale.value = view.scale;
      paint(model, instance, { canvas: canvas.current, size: size.peek(), view, colours });
    };
    const stop = effect(() => {
      void [model.view.value, model.layout.value, model.marked.value, size.value, theme.value];
      void [instance.frame.value, model.readingsVersion.value];
      if (isShown('flow')) cancel = pictures.join(draw);
    });
    return () => {
      stop();
      cancel();
    };
  }, [model, instance]);

  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    const button = boxes.current?.querySelector<HTMLElement>('[data-selected] .flow-name');
    button?.focus({ preventScroll: true });
  });
  void model.selected.value;

  return (
    <div class="flow-view">
      <div class="flow-titles" aria-hidden="true">
        <div ref={titles}>
          {(scale.value < legibleScale / 2 ? [] : (layout?.columns ?? [])).map(
            ({ left, width, kinds }) => (
              <span
                key={left}
                style={{
                  left: `${left * scale.value}px`,
                  width: `${(width + titleRoom) * scale.value}px`,
                }}
              >
                {columnTitle(kinds)}
              </span>
            ),
          )}
        </div>
      </div>
      <section
        ref={place}
        class="flow-drawing"
        aria-label="Flow diagram. Arrow keys select nodes. The table view has the same content."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and zoomed by keys
        tabIndex={0}
        data-testid="flow-drawing"
        onKeyDown={press}
        onScroll={(event) => {
          // A focused box outside the view must not scroll the element.
          event.currentTarget.scrollTo(0, 0);
        }}
      >
        <canvas ref={canvas} />
        <div ref={boxes} class="flow-boxes">
          <FlowBoxes model={model} size={size.value} />
        </div>
      </section>
      <div class="flow-zoom">
        <button
          type="button"
          aria-label="Zoom out"
          title="Zoom out (−)"
          onClick={() => zoom(1 / zoomStep)}
        >
          −
        </button>
        <button type="button" data-testid="flow-fit" title="Show all (0)" onClick={showAll}>
          {Math.round(scale.value * 100)} %
        </button>
        <button
          type="button"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => zoom(zoomStep)}
        >
          +
        </button>
      </div>
    </div>
  );
};
