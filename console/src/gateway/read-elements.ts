import { type Answer, call } from '../api/client.ts';

export type GraphElement = Answer<'gateway.graph'>['elements'][number];

const pageSize = 5000;
/** The first page of a large project takes about as long as loading it. */
const limitMs = 15_000;

/** Reads the whole graph of an instance, page by page. Throws only ApiError. */
export const readElements = async (instance: string): Promise<readonly GraphElement[]> => {
  const elements: GraphElement[] = [];
  for (;;) {
    const input = { instance, offset: elements.length, limit: pageSize };
    const page = await call('gateway.graph', input, { limitMs });
    elements.push(...page.elements);
    // The graph of a replaced instance is requested separately.
    if (page.elements.length === 0 || elements.length >= page.element_total) return elements;
  }
};
