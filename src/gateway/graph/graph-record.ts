import { type Static, Type } from 'typebox';
import { counted, named, nullable } from '../../base/schema/schemas.ts';
import { E2eSettings } from '../../e2e/codec-fields.ts';

export const nodeKinds = [
  'endpoint',
  'message',
  'pdu',
  'resource',
  'signal',
  'mapping',
  'processor',
  'task',
] as const;
export type NodeKind = (typeof nodeKinds)[number];

export const GatewayProtection = named(
  'GatewayProtection',
  Type.Object({
    direction: Type.Enum(['check', 'protect'], {
      description: 'Whether received frames are checked, or sent ones protected',
    }),
    first_byte: counted('First protected byte'),
    length: counted('Protected bytes'),
    settings: nullable(named('E2eSettings', E2eSettings), {
      description: 'As in the codec of the project; null for a plugin',
    }),
  }),
);
export type GatewayProtection = Static<typeof GatewayProtection>;

export const GatewayGraphNode = named(
  'GatewayGraphNode',
  Type.Object({
    group: Type.Enum(['nodes']),
    id: Type.String({
      description: 'Unique in the graph: kind and row',
      examples: ['signal:pump'],
    }),
    kind: Type.Enum([...nodeKinds]),
    row: Type.String({ description: 'Id of the row in its table' }),
    endpoint: nullable(Type.String(), {
      description: 'Endpoint of a message, PDU, resource or task; null elsewhere',
    }),
    detail: Type.String({
      description:
        'Details next to its name: bus, identifier, bytes, table and address, producer, transformation, trigger',
      examples: ['100', 'holding 10–11', '× 1.8 + 32', 'every 20 ms'],
    }),
    protection: nullable(GatewayProtection, {
      description: 'End-to-end protection of a message; null without one',
    }),
  }),
);

export const GatewayGraphEdge = named(
  'GatewayGraphEdge',
  Type.Object({
    group: Type.Enum(['edges']),
    source: Type.String({ description: 'Node that the value comes from' }),
    target: Type.String({ description: 'Node that the value goes to' }),
    binding: nullable(Type.String(), { description: 'Binding that carries it; null elsewhere' }),
  }),
);

export type GraphNode = Static<typeof GatewayGraphNode>;
export type GraphEdge = Static<typeof GatewayGraphEdge>;

export const GatewayGraphPage = named(
  'GatewayGraphPage',
  Type.Object({
    instance: Type.String(),
    node_total: counted('Nodes in all'),
    edge_total: counted('Edges in all'),
    element_total: counted('Both together'),
    element_offset: counted('Index of the first message of this page'),
    element_next_offset: counted('Index of the next page; the total after the last page'),
    elements: Type.Array(Type.Union([GatewayGraphNode, GatewayGraphEdge])),
  }),
);
export type GatewayGraphPage = Static<typeof GatewayGraphPage>;
