import { describe, expect, it } from 'vitest';
import { holdersOf } from '../graph/holders.ts';
import { shownGraphOf } from '../graph/shown-graph.ts';
import { layFlowOut } from '../layout/flow-layout.ts';
import { coolantGraph, finish, keysOf, largeGraph } from '../testing/elements.ts';
import { fitted, neighbourOf, visibleNodes } from './viewport.ts';

const layoutOf = (graph = coolantGraph()) => {
  const shown = shownGraphOf(graph, holdersOf(graph), { folded: new Set(), only: null });
  const layout = finish(layFlowOut(graph, shown, () => ({ width: 100, height: 24 }))).value;
  return { layout, keys: keysOf(graph, shown) };
};
const window = { width: 1200, height: 700 };

describe('which nodes are drawn as elements', () => {
  it('are all of a small drawing, and those near the window of a large one', () => {
    const small = layoutOf().layout;
    expect(visibleNodes(small, fitted(small, window), window)).toHaveLength(small.wiring.nodes);
    const large = layoutOf(largeGraph(50, 20)).layout;
    const some = visibleNodes(large, { x: 0, y: 0, scale: 1 }, window);
    expect(some.length).toBeGreaterThan(20);
    expect(some.length).toBeLessThan(200);
  });

  it('are none where they could not be read', () => {
    const { layout } = layoutOf();
    expect(visibleNodes(layout, { x: 0, y: 0, scale: 0.2 }, window)).toEqual([]);
  });
});

describe('moving from node to node', () => {
  const { layout, keys } = layoutOf();
  const step = (key: string, direction: 'left' | 'right' | 'up' | 'down') =>
    keys[neighbourOf(layout, keys.indexOf(key), direction)];

  it('goes along edges, and stays at the ends', () => {
    expect(step('signal:pump', 'left')).toBe('resource:set');
    expect(step('signal:pump', 'right')).toBe('task:Pump');
    expect(step('endpoint:can', 'left')).toBe('endpoint:can');
  });

  it('goes up and down in a column', () => {
    const [, column] = layout.columns;
    const nodes = [...(column?.items ?? [])].map((item) => keys[item] ?? '');
    expect(step(nodes[0] ?? '', 'down')).toBe(nodes[1]);
    expect(step(nodes[1] ?? '', 'up')).toBe(nodes[0]);
    expect(step(nodes[0] ?? '', 'up')).toBe(nodes[0]);
  });
});
