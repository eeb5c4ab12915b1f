import { type Answer, call } from '../api/client.ts';

/** Nodes and edges of a graph. */
export type GraphElement = Answer<'gateway.graph'>['elements'][number];

/** The most that the service tells at once. */
const pageSize = 5000;
/** The first page of a large project takes about as long as loading it. */
const limitMs = 15_000;

/** Reads all pages of the graph of an instance. Throws an ApiError and nothing else. */
export const readElements = async (instance: string): Promise<readonly GraphElement[]> => {
  const elements: GraphElement[] = [];
  for (;;) {
    const input = { instance, offset: elements.length, limit: pageSize };
    const page = await call('gateway.graph', input, { limitMs });
    elements.push(...page.elements);
    // An instance that was replaced meanwhile has another graph, which is asked for by then.
    if (page.elements.length === 0 || elements.length >= page.element_total) return elements;
  }
};
