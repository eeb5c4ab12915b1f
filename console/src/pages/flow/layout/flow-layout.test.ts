import { describe, expect, it } from 'vitest';
import { type FlowGraph, flowGraphOf } from '../graph/flow-graph.ts';
import { holdersOf } from '../graph/holders.ts';
import { shownGraphOf } from '../graph/shown-graph.ts';
import {
  coolantGraph,
  crossingsOf,
  elementsOf,
  finish,
  keysOf,
  largeGraph,
} from '../testing/elements.ts';
import { columnsOf, type FlowLayout, layFlowOut, spreadOut } from './flow-layout.ts';
import { orderColumns, wiringOf } from './order-columns.ts';

const nodeHeight = 24;

const shownOf = (graph: FlowGraph, folded: readonly string[] = []) =>
  shownGraphOf(graph, holdersOf(graph), { folded: new Set(folded), only: null });

const layOut = (graph: FlowGraph, folded?: readonly string[]) =>
  finish(layFlowOut(graph, shownOf(graph, folded), () => ({ width: 100, height: nodeHeight })));

const columnTexts = (graph: FlowGraph, folded?: readonly string[]): string[] => {
  const shown = shownOf(graph, folded);
  const columns = columnsOf(graph, shown);
  const texts: string[][] = [];
  for (const [node, key] of keysOf(graph, shown).entries()) {
    const column = columns[node] ?? 0;
    texts[column] ??= [];
    texts[column].push(key);
  }
  return texts.map((keys) => keys.join(' '));
};

/** Overlapping items. */
const overlaps = ({ columns, heights, wiring }: FlowLayout): number => {
  let count = 0;
  for (const { items } of columns) {
    for (const [at, item] of items.subarray(1).entries()) {
      const above = items[at] ?? 0;
      const least = item < wiring.nodes && above < wiring.nodes ? nodeHeight : 0;
      if ((heights[item] ?? 0) - (heights[above] ?? 0) < least) count++;
    }
  }
  return count;
};

describe('the columns of a graph', () => {
  it('lead from endpoints over signals and mappings to endpoints', () => {
    expect(columnTexts(coolantGraph())).toEqual([
      'endpoint:can endpoint:plc',
      'message:Engine resource:set',
      'signal:coolant signal:oil signal:pump',
      'mapping:to_f mapping:limit',
      'signal:coolant_f signal:hot',
      'mapping:both',
      'signal:warn',
      'resource:reg task:Show task:Pump',
      'to:can to:plc',
    ]);
  });

  it('close up where what was in them is folded', () => {
    expect(columnTexts(coolantGraph(), ['message:Engine', 'resource:set', 'task:Show'])).toEqual([
      'endpoint:can endpoint:plc',
      'message:Engine resource:set',
      'mapping:to_f',
      'signal:coolant_f',
      'task:Show resource:reg task:Pump',
      'to:can to:plc',
    ]);
  });

  it('have PDUs, and tasks of registers, in places of their own', () => {
    const graph = flowGraphOf(
      elementsOf(
        'endpoint:can > message:In@can > pdu:P@can > signal:a > pdu:Q@can > message:Out@can > task:Out@can',
        'signal:a > resource:r@plc > task:W@plc',
        'endpoint:plc',
      ),
    );
    expect(columnTexts(graph)).toEqual([
      ...['endpoint:can', 'message:In', 'pdu:P', 'signal:a', 'pdu:Q', 'task:Out resource:r'],
      ...['task:W', 'to:can to:plc'],
    ]);
  });

  it('end where values go round, and the way back is told', () => {
    const graph = flowGraphOf(elementsOf('signal:a > processor:p > signal:a'));
    const { wiring } = layOut(graph).value;
    expect(wiring.back).toHaveLength(1);
    expect(wiring.edges.length).toBe(1);
  });
});

describe('the layout', () => {
  it('shares the way of a wire through the columns between', () => {
    const graph = coolantGraph();
    const shown = shownOf(graph);
    const wiring = wiringOf(shown, columnsOf(graph, shown));
    const keys = keysOf(graph, shown);
    const ways = Array.from(wiring.owners.subarray(wiring.nodes), (owner) => keys[owner]);
    // Two rows use coolant_f in the same column, so both share one wire.
    expect(ways.filter((key) => key === 'signal:coolant_f')).toHaveLength(2);
    expect(ways.filter((key) => key === 'signal:pump')).toHaveLength(4);
    const ends = [...wiring.edges].filter((edge) => edge >= 0).sort((one, two) => one - two);
    expect(ends).toEqual([...shown.sources.keys()]);
  });

  it('crosses no wires where that can be', () => {
    const tangled = flowGraphOf(
      elementsOf(
        ...['endpoint:e > message:A@e', 'endpoint:e > message:B@e', 'endpoint:e > message:C@e'],
        ...['message:C > signal:1', 'message:A > signal:2', 'message:B > signal:3'],
        ...['message:C > signal:4', 'message:A > signal:5', 'message:B > signal:6'],
      ),
    );
    const shown = shownOf(tangled);
    const wiring = wiringOf(shown, columnsOf(tangled, shown));
    expect(crossingsOf(wiring, finish(orderColumns(wiring, [])).value)).toBe(0);
  });

  it('keeps the signals of a message together, even if wires cross for it', () => {
    const graph = flowGraphOf(
      elementsOf(
        'endpoint:e > message:A@e > signal:a1 > message:X@e > task:X@e',
        'message:A > signal:a2 > message:Z@e > task:Z@e',
        'endpoint:e > message:B@e > signal:b1 > message:Y@e > task:Y@e',
        'message:B > signal:b2 > message:X@e',
        'endpoint:e',
      ),
    );
    const { columns, shown } = layOut(graph).value;
    const keys = keysOf(graph, shown);
    const texts = Array.from(columns[2]?.items ?? [], (item) => keys[item]?.at(-2));
    expect(['a,a,b,b', 'b,b,a,a']).toContain(texts.join());
  });

  it('keeps distances, and places as near as it can', () => {
    const ones = [1, 1, 1, 1];
    expect([...spreadOut([0, 0, 0, 100], ones, [10, 10, 10])]).toEqual([-10, 0, 10, 100]);
    expect([...spreadOut([30, 0], [3, 1], [10])]).toEqual([20, 30]);
    expect([...spreadOut([], [], [])]).toEqual([]);
  });

  it('puts nothing on top of anything, and everything inside', () => {
    for (const graph of [coolantGraph(), largeGraph(12, 8)]) {
      const layout = layOut(graph).value;
      expect(overlaps(layout)).toBe(0);
      for (const y of layout.heights) {
        expect(y).toBeGreaterThan(nodeHeight / 2);
        expect(y).toBeLessThan(layout.height - nodeHeight / 2);
      }
      const last = layout.columns.at(-1);
      expect((last?.left ?? 0) + (last?.width ?? 0)).toBeLessThan(layout.width);
    }
  });

  it('puts what is connected to nothing below everything else', () => {
    const graph = flowGraphOf(
      elementsOf(
        ...['signal:spare1', 'signal:spare2'],
        ...['endpoint:e > message:M@e > signal:a', 'message:M > signal:b', 'message:M > signal:c'],
      ),
    );
    const { shown, heights } = layOut(graph).value;
    const keys = keysOf(graph, shown);
    const at = (key: string): number => heights[keys.indexOf(key)] ?? 0;
    const lowest = Math.max(...['signal:a', 'signal:b', 'signal:c'].map(at));
    expect(at('signal:spare1')).toBeGreaterThan(lowest);
    expect(at('signal:spare2')).toBeGreaterThan(at('signal:spare1'));
  });

  it('draws one signal straight through', () => {
    const graph = flowGraphOf(
      elementsOf('endpoint:e > message:M@e > signal:s > message:T@e > task:T@e'),
    );
    expect(new Set(layOut(graph).value.heights).size).toBe(1);
  });

  it('is the same each time, and pauses often enough to be spread over frames', () => {
    const graph = largeGraph(50, 20);
    const first = layOut(graph);
    expect(first.value.heights).toEqual(layOut(graph).value.heights);
    expect(first.pauses).toBeGreaterThan(50);
    expect(first.value.wiring.nodes).toBeGreaterThan(3000);
  });
});
