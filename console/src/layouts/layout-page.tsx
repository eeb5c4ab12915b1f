import './layouts.css';
import { useSignal, useSignalEffect } from '@preact/signals';
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Command, offerCommands } from '../state/commands.ts';
import { isShown, type PaneRect, pageId, pageQuery, paneRects } from '../state/pages.ts';
import { unusableWhile } from '../ui/fields.tsx';
import { onResize } from '../ui/on-resize.ts';
import { LayoutBar } from './layout-bar.tsx';
import { type LayoutView, layoutViews, viewOf } from './layout-schema.ts';
import {
  choose,
  close,
  followLayoutLink,
  freeView,
  layout,
  resize,
  split,
} from './layout-state.ts';
import { PanePart } from './pane-part.tsx';
import {
  type Direction,
  isSplit,
  type PlacedBar,
  type PlacedPane,
  placePanes,
  type Rect,
  shareByKey,
  splits,
  stackPanes,
  viewsOf,
} from './pane-tree.ts';

const headHeight = 30;
const barSize = 8;
const measures = { bar: barSize, minWidth: 280, minHeight: 180 };
/** The same widths as those of the style sheets. */
const stackedBelow = 67 * 16;
const stackedHeight = 480;
const keyStep = 0.02;

const styleOf = ({ left, top, width, height }: Rect): Omit<PaneRect, 'size'> => ({
  left: `${left}px`,
  top: `${top}px`,
  width: `${width}px`,
  height: `${height}px`,
});

const pageStyle = ({ left, top, width, height }: Rect, stage: Rect): PaneRect => ({
  ...styleOf({
    left: stage.left + left,
    top: stage.top + top + headHeight,
    width,
    height: Math.max(0, height - headHeight),
  }),
  size: width < stackedBelow ? 'narrow' : 'wide',
});

const hidden: PaneRect = { ...styleOf({ left: 0, top: 0, width: 0, height: 0 }), size: 'hidden' };

/** Pages in panes, and hidden ones that feed panes which show parts of them. */
const rectsOfPages = (
  panes: readonly PlacedPane<LayoutView>[],
  stage: Rect,
): ReadonlyMap<string, PaneRect> => {
  const rects = new Map<string, PaneRect>();
  for (const { view, rect } of panes) {
    const { page = view, isWhole } = viewOf(view) ?? {};
    if (!isWhole) rects.set(page, rects.get(page) ?? hidden);
    else rects.set(page, { ...pageStyle(rect, stage), part: view === page ? undefined : view });
  }
  return rects;
};

const splitNames: Readonly<Record<Direction, string>> = {
  columns: 'Split right',
  rows: 'Split below',
};

const Pane = ({ view, rect }: PlacedPane<LayoutView>) => {
  const { title = view, isWhole: isPage = false } = viewOf(view) ?? {};
  return (
    <section
      class="layout-pane"
      aria-label={`Pane ${title}`}
      data-testid="pane"
      data-view={view}
      style={styleOf(isPage ? { ...rect, height: headHeight } : rect)}
    >
      <header>
        <select
          aria-label={`View of the pane ${title}`}
          title="A page is in one pane at a time: choosing one of another pane exchanges both"
          value={view}
          data-testid="pane-view"
          onChange={({ currentTarget }) => choose(view, currentTarget.value as LayoutView)}
        >
          {layoutViews.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <span class="grow" />
        {splits.map((direction) => (
          <button
            key={direction}
            type="button"
            class="inline"
            data-testid={`pane-${direction}`}
            aria-label={`${splitNames[direction]}: ${title}`}
            {...unusableWhile(freeView.value === null)}
            onClick={() => split(view, direction)}
          >
            {splitNames[direction]}
          </button>
        ))}
        <button
          type="button"
          class="inline"
          data-testid="pane-close"
          aria-label={`Close ${title}`}
          {...unusableWhile(!isSplit(layout.value))}
          onClick={() => close(view)}
        >
          Close
        </button>
      </header>
      {!isPage && <PanePart view={view} />}
    </section>
  );
};

const percent = (share: number): number => Math.round(share * 100);

const Bar = (bar: PlacedBar) => {
  const { path, split: direction, rect, at, least, most } = bar;
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const share = shareByKey(bar, event.key, keyStep);
    if (share === null) return;
    event.preventDefault();
    resize(path, share);
  };
  const drag = (event: TargetedPointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const stage = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!stage) return;
    const pointer =
      direction === 'columns' ? event.clientX - stage.left : event.clientY - stage.top;
    const share = (pointer - bar.from - barSize / 2) / bar.extent;
    resize(path, Math.min(Math.max(share, least), most));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      class="pane-bar"
      data-testid="pane-bar"
      data-split={direction}
      tabIndex={0}
      aria-label={direction === 'columns' ? 'Width of the panes' : 'Height of the panes'}
      aria-orientation={direction === 'columns' ? 'vertical' : 'horizontal'}
      aria-valuenow={percent(at)}
      aria-valuemin={percent(least)}
      aria-valuemax={percent(most)}
      style={styleOf(rect)}
      onKeyDown={press}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
    />
  );
};

/** The bar of the layout, then each pane: its bar, and the page in it, which is elsewhere in the document. */
const focusStops = (): readonly Element[] => {
  const selectors = viewsOf(layout.peek()).flatMap((view) => {
    const { page = view, isWhole = false } = viewOf(view) ?? {};
    const bar = `[data-testid="pane"][data-view="${view}"]`;
    return isWhole ? [bar, `.page[data-page="${page}"]`] : [bar];
  });
  return ['[data-testid="layout-bar"]', ...selectors].flatMap(
    (selector) => document.querySelector(selector) ?? [],
  );
};

const focusable =
  'button, select, input, textarea, summary, a[href], [tabindex]:not([tabindex="-1"])';

const focusIn = (stop: Element): boolean => {
  for (const control of stop.querySelectorAll<HTMLElement>(focusable)) {
    control.focus();
    if (document.activeElement === control) return true;
  }
  return false;
};

/** Moves the focus to the next bar or page, or to the one before. */
const focusPane = (by: 1 | -1): void => {
  const stops = focusStops();
  const current = stops.findIndex((stop) => stop.contains(document.activeElement));
  // From elsewhere on the page: to the first pane, or to the last one.
  const from = current >= 0 ? current : by > 0 ? 0 : stops.length;
  for (let step = 1; step <= stops.length; step++) {
    const next = stops.at((from + by * step) % stops.length);
    if (next && focusIn(next)) return;
  }
};

const commands = (): readonly Command[] =>
  isShown('layout')
    ? [
        {
          ...{ id: 'layout-next', group: 'Layout', title: 'Go to the next pane', keys: 'F6' },
          // The dialog of commands returns the focus when it closes.
          run: () => requestAnimationFrame(() => focusPane(1)),
        },
      ]
    : [];

export const LayoutPage = () => {
  const stage = useRef<HTMLDivElement>(null);
  const room = useSignal<Rect>({ left: 0, top: 0, width: 0, height: 0 });
  useEffect(() => offerCommands(commands), []);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'F6' || !isShown('layout')) return;
      event.preventDefault();
      focusPane(event.shiftKey ? -1 : 1);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  useLayoutEffect(() => {
    const place = stage.current;
    const main = place?.closest('main');
    if (!place || !main) return;
    const measure = (): void => {
      const inside = place.getBoundingClientRect();
      const outside = main.getBoundingClientRect();
      if (inside.width === 0) return;
      room.value = {
        left: inside.left - outside.left + main.scrollLeft,
        top: inside.top - outside.top + main.scrollTop,
        width: inside.width,
        height: inside.height,
      };
    };
    // Notices above the panes come and go without a change of size where panes are stacked.
    const notices = new MutationObserver(measure);
    notices.observe(main, { childList: true });
    const stop = onResize(place, measure);
    return () => {
      stop();
      notices.disconnect();
    };
  }, []);
  useSignalEffect(() => {
    if (pageId.value === 'layout') void followLayoutLink(pageQuery.value);
  });
  const { width, height } = room.value;
  const tree = layout.value;
  const isStacked = width < stackedBelow;
  const whole = { left: 0, top: 0, width, height };
  const { panes, bars } = isStacked
    ? stackPanes(tree, whole, { bar: barSize, height: stackedHeight })
    : placePanes(tree, whole, measures);
  useLayoutEffect(() => {
    paneRects.value = width === 0 ? new Map() : rectsOfPages(panes, room.value);
  }, [tree, room.value]);
  const stackHeight = panes.length * (stackedHeight + barSize) - barSize;
  return (
    <div class="layout-page">
      <LayoutBar />
      <div
        ref={stage}
        class="stage"
        data-testid="layout"
        style={{ minHeight: isStacked ? `${stackHeight}px` : '0' }}
      >
        {width > 0 && panes.map((pane) => <Pane key={pane.view} {...pane} />)}
        {bars.map((bar) => (
          <Bar key={bar.path} {...bar} />
        ))}
      </div>
    </div>
  );
};
