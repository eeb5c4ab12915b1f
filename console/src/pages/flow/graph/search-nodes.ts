import type { FlowGraph, FlowNode } from './flow-graph.ts';

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** How well a name fits what was typed: the whole of it, its beginning, or any part. */
const rankOf = (name: string, query: string): number => {
  if (name === query) return 0;
  return name.startsWith(query) ? 1 : 2;
};

/** Nodes that have every word of a query in what is known of them, the best fit first. */
export const searchNodes = ({ nodes }: Pick<FlowGraph, 'nodes'>, query: string): number[] => {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const text = words.join(' ');
  const isFound = ({ kind, name, detail, message, endpoint }: FlowNode): boolean => {
    const all = [kind, name, detail, message ?? '', nodes[endpoint]?.name ?? ''];
    const lower = all.join(' ').toLowerCase();
    return words.every((word) => lower.includes(word));
  };
  const ranks: number[][] = [[], [], []];
  for (const [number, node] of nodes.entries()) {
    if (isFound(node)) ranks[rankOf(node.name.toLowerCase(), text)]?.push(number);
  }
  return ranks.flat();
};
