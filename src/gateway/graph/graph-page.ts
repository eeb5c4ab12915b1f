import { ListPage } from '../../base/json/list-page.ts';
import type { PageRange } from '../instances/instance-pages.ts';
import type { SharedInstance } from '../instances/instance-registry.ts';
import { StringPool } from '../memory/string-pool.ts';
import type { GatewayGraphPage } from './graph-record.ts';
import type { PackedGraph } from './packed-graph.ts';

function* elementsOf(strings: StringPool, first: number, end: number): Generator<object> {
  // Texts are numbered from 1.
  for (let number = first + 1; number <= end; number++)
    yield JSON.parse(strings.at(number) ?? '{}');
}

/** Some of the nodes and edges of a project, as many as an answer has room for. */
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
