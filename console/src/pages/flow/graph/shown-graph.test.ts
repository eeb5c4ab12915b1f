import { describe, expect, it } from 'vitest';
import { coolantGraph, edgesOf, keysOf, largeGraph } from '../testing/elements.ts';
import { reachOf } from './flow-graph.ts';
import { holdersOf } from './holders.ts';
import { firstFolding, foldable, shownGraphOf } from './shown-graph.ts';

const graph = coolantGraph();
const holders = holdersOf(graph);
const shownOf = (folded: readonly string[], only: Uint8Array | null = null) =>
  shownGraphOf(graph, holders, { folded: new Set(folded), only });

describe('what is shown of a graph', () => {
  it('is all of it while nothing is folded', () => {
    const shown = shownOf([]);
    expect(keysOf(graph, shown)).toEqual(graph.nodes.map(({ key }) => key));
    expect(shown.sources).toEqual(graph.sources);
    expect([...shown.held].every((count) => count === 0)).toBe(true);
  });

  it('lets a message stand for its signals, with one edge for all that lead the same way', () => {
    const shown = shownOf(['message:Engine', 'task:Show']);
    const at = keysOf(graph, shown).indexOf('message:Engine');
    expect(shown.held[at]).toBe(2);
    expect(edgesOf(graph, shown)).toEqual([
      'endpoint:can > message:Engine',
      'message:Engine > mapping:to_f',
      'mapping:to_f > signal:coolant_f',
      'message:Engine > task:Show',
      'signal:coolant_f > resource:reg',
      'signal:coolant_f > task:Show',
      'endpoint:plc > resource:set',
      'resource:set > signal:pump',
      'signal:pump > task:Pump',
      'resource:reg > to:plc',
      'task:Show > to:can',
      'task:Pump > to:can',
    ]);
    const both = edgesOf(graph, shown).indexOf('message:Engine > task:Show');
    expect(shown.edges[both]).toHaveLength(2);
  });

  it('lets the outermost stand for what is folded inside of it', () => {
    const keys = keysOf(graph, shownOf(['endpoint:can', 'message:Engine', 'between']));
    expect(keys).not.toContain('message:Engine');
    expect(keys).not.toContain('mapping:to_f');
    expect(keys).toContain('endpoint:can');
    expect(keys).toContain('between');
  });

  it('leaves out what is not followed', () => {
    const start = graph.nodes.findIndex(({ key }) => key === 'signal:pump');
    const shown = shownOf([], reachOf(graph, graph.nodes.length, start));
    expect(keysOf(graph, shown)).toEqual([
      ...['endpoint:plc', 'resource:set', 'signal:pump', 'task:Pump', 'to:can'],
    ]);
    expect(shown.shownAs[graph.nodes.findIndex(({ key }) => key === 'signal:oil')]).toBe(-1);
  });

  it('folds what holds something', () => {
    const keys = foldable(graph, holders);
    expect(keys.has('message:Engine')).toBe(true);
    expect(keys.has('to:can')).toBe(true);
    expect(keys.has('signal:coolant')).toBe(false);
  });

  it('begins with everything where that can be read, and folded where it cannot', () => {
    expect(firstFolding(graph, holders).size).toBe(0);
    const large = largeGraph(40, 25);
    const own = holdersOf(large);
    const folded = firstFolding(large, own);
    const shown = shownGraphOf(large, own, { folded, only: null });
    expect(shown.nodes.length).toBeLessThanOrEqual(100);
    expect(folded.has('message:M0')).toBe(true);
    expect(folded.has('endpoint:in0')).toBe(false);
  });
});
