import { describe, expect, it } from 'vitest';
import {
  chooseView,
  closePane,
  type PaneTree,
  placePanes,
  resizeSplit,
  shareByKey,
  splitPane,
  stackPanes,
  viewsOf,
} from './pane-tree.ts';

const measures = { bar: 10, minWidth: 200, minHeight: 100 };
const window = { left: 0, top: 0, width: 1010, height: 610 };

const bench: PaneTree = {
  show: 'columns',
  at: 0.6,
  first: { show: 'trace' },
  second: { show: 'rows', at: 0.5, first: { show: 'signals' }, second: { show: 'send' } },
};

const rectOf = (tree: PaneTree, view: string, rect = window) =>
  placePanes(tree, rect, measures).panes.find((pane) => pane.view === view)?.rect;

describe('a tree of panes', () => {
  it('splits a pane to the right and below', () => {
    const two = splitPane({ show: 'trace' }, 'trace', 'columns', 'signals');
    expect(two).toEqual({
      show: 'columns',
      at: 0.5,
      first: { show: 'trace' },
      second: { show: 'signals' },
    });
    expect(viewsOf(splitPane(two, 'trace', 'rows', 'send'))).toEqual(['trace', 'send', 'signals']);
  });

  it('leaves the room of a closed pane to the other part of its split', () => {
    expect(closePane(bench, 'send')).toEqual({ ...bench, second: { show: 'signals' } });
    expect(closePane(bench, 'trace')).toEqual({
      show: 'rows',
      at: 0.5,
      first: { show: 'signals' },
      second: { show: 'send' },
    });
  });

  it('keeps the last pane, and stays the same without the view', () => {
    expect(closePane({ show: 'trace' }, 'trace')).toEqual({ show: 'trace' });
    expect(closePane(bench, 'modbus')).toBe(bench);
    expect(splitPane(bench, 'modbus', 'columns', 'flow')).toBe(bench);
  });

  it('shows another view in a pane, or changes places with the pane that shows it', () => {
    expect(viewsOf(chooseView(bench, 'trace', 'modbus'))).toEqual(['modbus', 'signals', 'send']);
    expect(viewsOf(chooseView(bench, 'trace', 'send'))).toEqual(['send', 'signals', 'trace']);
    expect(viewsOf(chooseView(bench, 'trace', 'plot', 'signals'))).toEqual([
      ...['plot', 'trace', 'send'],
    ]);
  });

  it('resizes the split of a path only', () => {
    expect(resizeSplit(bench, '1', 0.25)).toMatchObject({ at: 0.6, second: { at: 0.25 } });
    expect(resizeSplit(bench, '', 1 / 3)).toMatchObject({ at: 0.333, second: { at: 0.5 } });
    expect(resizeSplit(bench, '0', 0.25)).toBe(bench);
  });
});

describe('placePanes', () => {
  it('gives each part its share, with bars between', () => {
    const { panes, bars } = placePanes(bench, window, measures);
    expect(panes).toEqual([
      { view: 'trace', rect: { left: 0, top: 0, width: 600, height: 610 } },
      { view: 'signals', rect: { left: 610, top: 0, width: 400, height: 300 } },
      { view: 'send', rect: { left: 610, top: 310, width: 400, height: 300 } },
    ]);
    expect(bars.map(({ path, split, rect }) => ({ path, split, rect }))).toEqual([
      { path: '', split: 'columns', rect: { left: 600, top: 0, width: 10, height: 610 } },
      { path: '1', split: 'rows', rect: { left: 610, top: 300, width: 400, height: 10 } },
    ]);
  });

  it('leaves each pane its minimum', () => {
    expect(rectOf({ ...bench, at: 0 }, 'trace')?.width).toBe(200);
    expect(rectOf({ ...bench, at: 1 }, 'signals')?.width).toBe(200);
    const columns = splitPane(bench, 'trace', 'columns', 'flow');
    expect(rectOf({ ...columns, at: 0 } as PaneTree, 'flow')).toMatchObject({ width: 200 });
  });

  it('shrinks all in proportion where there is no room for the minimums', () => {
    const narrow = { ...window, width: 210 };
    expect(rectOf({ ...bench, at: 0.9 }, 'trace', narrow)?.width).toBe(100);
    expect(rectOf({ ...bench, at: 0.9 }, 'send', narrow)?.width).toBe(100);
  });

  it('covers the window without overlap, whatever the shares are', () => {
    for (const at of [0, 0.1, 0.37, 0.5, 0.99, 1]) {
      const tree = splitPane({ ...bench, at } as PaneTree, 'send', 'columns', 'flow');
      const { panes, bars } = placePanes(tree, window, measures);
      const area = [...panes, ...bars].reduce((sum, { rect }) => sum + rect.width * rect.height, 0);
      expect(area).toBe(window.width * window.height);
    }
  });
});

describe('stackPanes', () => {
  it('puts the panes below each other in the order of the tree', () => {
    const { panes, bars } = stackPanes(bench, window, { bar: 10, height: 300 });
    expect(bars).toEqual([]);
    expect(panes.map(({ view, rect }) => [view, rect.top, rect.width])).toEqual([
      ['trace', 0, 1010],
      ['signals', 310, 1010],
      ['send', 620, 1010],
    ]);
  });
});

describe('shareByKey', () => {
  const bar = { split: 'columns', at: 0.5, least: 0.2, most: 0.52 } as const;

  it.each([
    ['ArrowLeft', 0.45],
    ['ArrowRight', 0.52],
    ['Home', 0.2],
    ['End', 0.52],
    ['ArrowUp', null],
    ['a', null],
  ])('moves a bar between columns with %s to %s', (key, share) => {
    expect(shareByKey(bar, key, 0.05)).toBe(share);
  });

  it('moves a bar between rows up and down', () => {
    expect(shareByKey({ ...bar, split: 'rows' }, 'ArrowUp', 0.05)).toBe(0.45);
    expect(shareByKey({ ...bar, split: 'rows' }, 'ArrowLeft', 0.05)).toBeNull();
  });
});
