import { type ProjectLinks, quoted } from './project-links.ts';

/** A server has one unit id: a network on which two of them answered could have none. */
export const checkEndpoints = (links: ProjectLinks): void => {
  const report = links.reporter('endpoints');
  const unitOf = new Map<string, { readonly id: string; readonly node: number }>();
  links.draft.tables.endpoints.rows.forEach((endpoint, index) => {
    if (endpoint.kind !== 'modbus' || endpoint.role !== 'server') return;
    const { network, id, node } = endpoint;
    const first = unitOf.get(network);
    if (first === undefined) unitOf.set(network, { id, node });
    else if (first.node !== node) {
      const flaw = `must be ${first.node}, with which endpoint ${quoted(first.id)} serves network ${quoted(network)}: a server has one unit id`;
      report(index, 'node', 'several_units', flaw);
    }
  });
};
