import type { Json } from './facts.ts';

/** A change that can be applied to its document. */
export interface Edit {
  readonly name: string;
  readonly apply: () => void;
}

interface Place {
  readonly schema: Json;
  readonly direction: 'request' | 'response';
}

const nodes = (value: unknown): Json[] => Object.values((value ?? {}) as Json) as Json[];
const operationsOf = (document: Json): Json[] => nodes(document.paths).flatMap(nodes);

/** Every schema that an operation reaches, once per direction. */
function placesOf(document: Json): Place[] {
  const schemas = (document.components as { schemas: Record<string, Json> }).schemas;
  const places: Place[] = [];
  const seen = { request: new Set<Json>(), response: new Set<Json>() };
  const visit = (schema: unknown, direction: Place['direction']): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const node = schema as Json;
    if (seen[direction].has(node)) return;
    seen[direction].add(node);
    places.push({ schema: node, direction });
    if (typeof node.$ref === 'string') visit(schemas[node.$ref.split('/').at(-1) ?? ''], direction);
    const members = [node.allOf, node.oneOf, node.properties].flatMap(nodes);
    for (const inner of [node.items, ...members]) visit(inner, direction);
  };
  for (const { requestBody, responses } of operationsOf(document)) {
    for (const media of nodes((requestBody as Json | undefined)?.content))
      visit(media.schema, 'request');
    for (const media of nodes(responses).flatMap(({ content }) => nodes(content)))
      visit(media.schema, 'response');
  }
  return places;
}

const dropKeys = (owner: unknown, name: string): Edit[] =>
  Object.keys((owner ?? {}) as Json).map((key) => ({
    name: `${name} ${key} removed`,
    apply: () => delete (owner as Json)[key],
  }));

const dropItems = (list: unknown, name: string): Edit[] =>
  Array.isArray(list)
    ? list.map((item, at) => ({
        name: `${name} ${JSON.stringify(item)} removed`,
        apply: () => list.splice(at, 1),
      }))
    : [];

/** Removals that break some client. */
export function removalsFrom(document: Json): Edit[] {
  const operations = operationsOf(document).flatMap((operation) => [
    ...dropItems(operation.parameters, 'parameter'),
    ...dropKeys((operation.requestBody as Json | undefined)?.content, 'request media type'),
    ...dropKeys(operation.responses, 'status'),
    ...nodes(operation.responses).flatMap((response) => [
      ...dropKeys(response.headers, 'header'),
      ...dropKeys(response.content, 'response media type'),
      ...dropItems(response['x-error-codes'], 'error code'),
    ]),
    { name: 'operationId removed', apply: () => delete operation.operationId },
  ]);
  const schemas = placesOf(document).flatMap(({ schema, direction }) => [
    ...dropItems(schema.enum, 'enum value'),
    ...dropItems(schema.anyOf, 'literal'),
    ...dropItems(schema.oneOf, 'variant'),
    ...(Array.isArray(schema.type) ? dropItems(schema.type, 'type') : []),
    ...(direction === 'response' || schema.additionalProperties === false
      ? dropKeys(schema.properties, 'property')
      : []),
    ...(direction === 'response' ? dropItems(schema.required, 'guarantee of') : []),
  ]);
  return [
    ...dropKeys(document.paths, 'path'),
    ...nodes(document.paths).flatMap((item) => dropKeys(item, 'method')),
    ...dropKeys((document.components as Json).schemas, 'component'),
    ...operations,
    ...schemas,
  ];
}

const put = (owner: unknown, key: string, value: unknown): Edit => ({
  name: `${key} added`,
  apply: () => {
    (owner as Json)[key] = value;
  },
});

const push = (list: unknown, value: unknown): Edit[] =>
  Array.isArray(list)
    ? [{ name: `${JSON.stringify(value)} added`, apply: () => list.push(value) }]
    : [];

export function additionsTo(document: Json): Edit[] {
  const text = { type: 'string', description: 'New' };
  const operations = operationsOf(document).flatMap((operation) => [
    ...push(operation.parameters, { name: 'added', in: 'query', schema: text }),
    put(operation.responses, '418', { description: 'New', headers: {}, content: {} }),
    ...nodes(operation.responses).flatMap((response) => [
      put(response.headers, 'x-added', { schema: text }),
      put(response.content, 'application/cbor', { schema: text }),
      ...push(response['x-error-codes'], 'added'),
    ]),
  ]);
  const schemas = placesOf(document).flatMap(({ schema }) => [
    ...(schema.properties ? [put(schema.properties, 'added', text)] : []),
    ...push(schema.enum, 'added'),
    ...push(schema.anyOf, { const: 'added' }),
  ]);
  return [
    put(document.paths, '/added', { get: { responses: {} } }),
    ...nodes(document.paths).map((item) => put(item, 'put', { responses: {} })),
    put((document.components as Json).schemas, 'Added', text),
    ...operations,
    ...schemas,
  ];
}
