import { type FlowGraph, flowGraphOf, type GraphElement } from '../graph/flow-graph.ts';
import type { ShownGraph } from '../graph/shown-graph.ts';
import type { Wiring } from '../layout/order-columns.ts';

type NodeElement = Extract<GraphElement, { group: 'nodes' }>;

/** Elements as the service reports them, from lines such as `signal:a > mapping:m`; `@` names an endpoint. */
export const elementsOf = (...lines: readonly string[]): GraphElement[] => {
  const nodes = new Map<string, NodeElement>();
  const edges: GraphElement[] = [];
  const nodeOf = (text: string): string => {
    const [id = '', endpoint = null] = text.split('@');
    const [kind, row = ''] = id.split(':');
    const known = nodes.get(id)?.endpoint ?? null;
    nodes.set(id, {
      ...{ group: 'nodes', id, kind: kind as NodeElement['kind'], row, detail: `detail of ${row}` },
      endpoint: endpoint ?? known,
      protection: null,
    });
    return id;
  };
  for (const line of lines) {
    const [path = '', binding = null] = line.split(' by ');
    const ids = path.split(' > ').map(nodeOf);
    for (const [at, target] of ids.slice(1).entries()) {
      edges.push({ group: 'edges', source: ids[at] ?? '', target, binding });
    }
  }
  return [...nodes.values(), ...edges];
};

/** A temperature that is displayed, monitored and served, and a pump that is only forwarded. */
export const coolantGraph = (): FlowGraph =>
  flowGraphOf(
    elementsOf(
      'endpoint:can > message:Engine@can',
      'message:Engine > signal:coolant by coolant.rx',
      'message:Engine > signal:oil by oil.rx',
      'signal:coolant > mapping:to_f > signal:coolant_f',
      'signal:coolant > mapping:limit > signal:hot > mapping:both > signal:warn',
      'signal:oil > mapping:both',
      'signal:coolant_f > resource:reg@plc by coolant_f.reg',
      'signal:coolant_f > message:Dash@can by coolant_f.tx',
      'signal:warn > message:Dash@can by warn.tx',
      'message:Dash > task:Show@can',
      'endpoint:plc > resource:set@plc > signal:pump > message:Pump@can > task:Pump@can',
    ),
  );

/** Messages with signals, each of which is mapped and sent in another message. */
export const largeGraph = (messages: number, signals: number): FlowGraph => {
  const lines: string[] = [];
  for (let m = 0; m < messages; m++) {
    lines.push(`endpoint:in${m % 3} > message:M${m}@in${m % 3}`);
    for (let s = 0; s < signals; s++) {
      const name = `S${m}_${s}`;
      const other = (m * 7 + s * 5) % messages;
      lines.push(`message:M${m} > signal:${name} > mapping:to_${name} > signal:${name}_out`);
      lines.push(`signal:${name}_out > message:T${other}@out`);
    }
    lines.push(`message:T${m}@out > task:T${m}@out`);
  }
  return flowGraphOf(elementsOf('endpoint:out > message:unused@out', ...lines));
};

export const keysOf = (graph: FlowGraph, shown: ShownGraph): string[] =>
  Array.from(shown.nodes, (node) => graph.nodes[node]?.key ?? 'between');

export const edgesOf = (graph: FlowGraph, shown: ShownGraph): string[] => {
  const keys = keysOf(graph, shown);
  return Array.from(
    shown.sources,
    (source, edge) => `${keys[source]} > ${keys[shown.targets[edge] ?? 0]}`,
  );
};

/** Runs a generator to its end and counts its pauses. */
export const finish = <T>(steps: Generator<void, T>): { readonly value: T; pauses: number } => {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done) return { value: step.value, pauses };
  }
};

/** Number of crossings between pieces of the same columns. */
export const crossingsOf = (
  { from, to, columns }: Wiring,
  order: readonly Uint32Array[],
): number => {
  const place = (item: number | undefined): number =>
    order[columns[item ?? 0] ?? 0]?.indexOf(item ?? 0) ?? 0;
  let crossings = 0;
  for (const one of from.keys()) {
    for (const other of from.keys()) {
      if (columns[from[one] ?? 0] !== columns[from[other] ?? 0]) continue;
      const isAbove = place(from[one]) < place(from[other]);
      if (isAbove && place(to[one]) > place(to[other])) crossings++;
    }
  }
  return crossings;
};
