import { stringifyJson } from '../../base/json/stringify-json.ts';
import { type PooledStrings, StringPoolBuilder } from '../memory/string-pool.ts';
import type { Project } from '../project/project.ts';
import { graphEdges, graphNodes } from './project-graph.ts';

/** The graph of a project as threads share it: its nodes and then its edges, each as JSON. */
export interface PackedGraph {
  readonly nodes: number;
  readonly edges: number;
  readonly elements: PooledStrings;
}

/** An edge that there is twice, as where a mapping reads a signal twice, is one. */
export const packGraph = (project: Project): PackedGraph => {
  const strings = new StringPoolBuilder();
  let nodes = 0;
  let last = 0;
  for (const node of graphNodes(project)) nodes = strings.add(stringifyJson(node));
  last = nodes;
  for (const edge of graphEdges(project)) last = Math.max(last, strings.add(stringifyJson(edge)));
  return { nodes, edges: last - nodes, elements: strings.finish() };
};
