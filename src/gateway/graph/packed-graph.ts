import { ListPage } from '../../base/json/list-page.ts';
import { stringifyJson } from '../../base/json/stringify-json.ts';
import type { PageRange } from '../instances/instance-pages.ts';
import type { SharedInstance } from '../instances/instance-registry.ts';
import { type PooledStrings, StringPool, StringPoolBuilder } from '../memory/string-pool.ts';
import type { Project } from '../project/project.ts';
import type { GatewayGraphPage } from './graph-record.ts';
import { graphEdges, graphNodes } from './project-graph.ts';

/** The graph of a project in shared memory: nodes, then edges, each as JSON. */
export interface PackedGraph {
  readonly nodes: number;
  readonly edges: number;
  readonly elements: PooledStrings;
}

/** Merges duplicate edges, such as those of a mapping that reads a signal twice. */
export const packGraph = (project: Project): PackedGraph => {
  const strings = new StringPoolBuilder();
  let nodes = 0;
  let last = 0;
  for (const node of graphNodes(project)) nodes = strings.add(stringifyJson(node));
  last = nodes;
  for (const edge of graphEdges(project)) last = Math.max(last, strings.add(stringifyJson(edge)));
  return { nodes, edges: last - nodes, elements: strings.finish() };
};

/**
 * The graph of the last requested instance. Only one is cached, because it needs about as much
 * memory as the file.
 */
export class GraphCache {
  readonly #make: (instance: SharedInstance) => Promise<PackedGraph>;
  #serial = 0;
  #graph: Promise<PackedGraph> | undefined;

  constructor(make: (instance: SharedInstance) => Promise<PackedGraph>) {
    this.#make = make;
  }

  of(instance: SharedInstance): Promise<PackedGraph> {
    if (this.#graph && this.#serial === instance.serial) return this.#graph;
    const graph = this.#make(instance);
    this.#serial = instance.serial;
    this.#graph = graph;
    graph.catch(() => {
      if (this.#graph === graph) this.#graph = undefined;
    });
    return graph;
  }

  forget(serial: number): void {
    if (this.#serial === serial) this.#graph = undefined;
  }
}

function* elementsOf(strings: StringPool, first: number, end: number): Generator<object> {
  for (let number = first + 1; number <= end; number++)
    yield JSON.parse(strings.at(number) ?? '{}');
}

export const graphPage = (
  { name }: SharedInstance,
  { nodes, edges, elements }: PackedGraph,
  range: PageRange,
): ListPage => {
  const total = nodes + edges;
  const first = Math.min(range.offset, total);
  const end = Math.min(first + range.limit, total);
  return new ListPage({
    list: 'elements',
    maxBytes: range.maxBytes,
    items: () => elementsOf(new StringPool(elements), first, end),
    before: (count): Omit<GatewayGraphPage, 'elements'> => ({
      instance: name,
      node_total: nodes,
      edge_total: edges,
      element_total: total,
      element_offset: range.offset,
      element_next_offset: first + count,
    }),
  });
};
