import { describe, expect, it } from 'vitest';
import { coolantGraph, elementsOf } from '../testing/elements.ts';
import { flowGraphOf, reachOf, searchNodes } from './flow-graph.ts';
import { holdersOf, noHolder } from './holders.ts';

const graph = coolantGraph();
const numberOf = (key: string): number => graph.nodes.findIndex((node) => node.key === key);
const nodeOf = (key: string) => graph.nodes[numberOf(key)];
const edges = Array.from(
  graph.sources,
  (source, edge) => `${graph.nodes[source]?.key} > ${graph.nodes[graph.targets[edge] ?? 0]?.key}`,
);

describe('the graph that is drawn', () => {
  it('draws a message and the task that sends it as one, and leads on to its endpoint', () => {
    expect(nodeOf('message:Dash')).toBeUndefined();
    expect(nodeOf('task:Show')).toMatchObject({
      name: 'Show',
      message: 'Dash',
      detail: 'detail of Dash detail of Show',
      side: 'out',
    });
    expect(edges).toContain('signal:warn > task:Show');
    expect(edges).toContain('task:Show > to:can');
  });

  it('has an endpoint twice that is received from and sent to', () => {
    expect(nodeOf('endpoint:can')).toMatchObject({ side: 'in', name: 'can' });
    expect(nodeOf('to:can')).toMatchObject({ side: 'out', name: 'can' });
    expect(nodeOf('endpoint:plc')?.side).toBe('in');
    expect(edges).toContain('resource:reg > to:plc');
    expect(edges).not.toContain('resource:set > to:plc');
  });

  it('leaves out the left half of an endpoint that is only sent to, and keeps one without use', () => {
    const { nodes } = flowGraphOf(
      elementsOf('signal:a > message:M@bus > task:M@bus', 'endpoint:bus', 'endpoint:spare'),
    );
    expect(nodes.map(({ key }) => key)).toEqual(['signal:a', 'task:M', 'endpoint:spare', 'to:bus']);
  });

  it('keeps the bindings of its edges', () => {
    const at = edges.indexOf('signal:coolant_f > task:Show');
    expect(graph.bindings[at]).toBe('coolant_f.tx');
  });

  it('knows what a node comes from and goes to', () => {
    const marks = reachOf(graph, graph.nodes.length, numberOf('signal:hot'));
    const keys = graph.nodes.filter((_, node) => marks[node]).map(({ key }) => key);
    expect(keys.sort()).toEqual(
      [
        ...['endpoint:can', 'message:Engine', 'signal:coolant', 'mapping:limit', 'signal:hot'],
        ...['mapping:both', 'signal:warn', 'task:Show', 'to:can'],
      ].sort(),
    );
  });

  it('finds nodes by all words, and those first whose name it is', () => {
    const found = (query: string) => searchNodes(graph, query).map((at) => graph.nodes[at]?.key);
    expect(found('coolant')).toEqual(['signal:coolant', 'signal:coolant_f']);
    expect(found('signal PUM')).toEqual(['signal:pump']);
    expect(found('dash')).toEqual(['task:Show']);
    expect(found('plc resource')).toEqual(['resource:reg', 'resource:set']);
    expect(found(' ')).toEqual([]);
  });
});

describe('what holds what', () => {
  const holders = holdersOf(graph);
  const holderOf = (key: string) => graph.nodes[holders[numberOf(key)] ?? noHolder]?.key ?? null;

  it('puts received signals into what they come from', () => {
    expect(holderOf('signal:coolant')).toBe('message:Engine');
    expect(holderOf('signal:pump')).toBe('resource:set');
    expect(holderOf('message:Engine')).toBe('endpoint:can');
    expect(holderOf('endpoint:can')).toBe(null);
  });

  it('puts what leads to one row that is sent into that', () => {
    expect(['signal:warn', 'mapping:both', 'signal:hot', 'mapping:limit'].map(holderOf)).toEqual(
      Array(4).fill('task:Show'),
    );
    expect(holderOf('task:Show')).toBe('to:can');
  });

  it('leaves what leads to several where it is', () => {
    expect(holderOf('signal:coolant_f')).toBe(null);
    expect(holderOf('mapping:to_f')).toBe(null);
  });

  it('ends where values go round', () => {
    const round = flowGraphOf(
      elementsOf(
        'signal:a > processor:p > signal:a',
        'processor:p > signal:b > message:M@bus > task:M@bus',
        'endpoint:bus',
      ),
    );
    const names = [...holdersOf(round)].map((holder) => round.nodes[holder]?.key ?? null);
    expect(names).toEqual([null, null, 'task:M', 'to:bus', null]);
  });

  it('puts PDUs into messages, and registers into the task that writes them', () => {
    const parts = flowGraphOf(
      elementsOf(
        'endpoint:can > message:In@can > pdu:P@can > signal:a > pdu:Q@can > message:Out@can > task:Out@can',
        'signal:a > resource:r@plc > task:W@plc',
        'endpoint:plc',
      ),
    );
    const own = holdersOf(parts);
    const pairs = parts.nodes.map(({ key }, at) => `${key} in ${parts.nodes[own[at] ?? -1]?.key}`);
    expect(pairs).toEqual([
      ...['endpoint:can in undefined', 'message:In in endpoint:can', 'pdu:P in message:In'],
      ...['signal:a in pdu:P', 'pdu:Q in task:Out', 'task:Out in to:can', 'resource:r in task:W'],
      ...['task:W in to:plc', 'to:can in undefined', 'to:plc in undefined'],
    ]);
  });
});
