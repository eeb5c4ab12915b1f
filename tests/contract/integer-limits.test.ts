import { describe, expect, it } from 'vitest';
import { product } from '../../src/base/product.ts';
import { operations } from '../../src/operations/registry.ts';
import { renderOpenApi } from '../../src/operations/render/openapi.ts';

type Node = Readonly<Record<string, unknown>>;

const document = JSON.parse(JSON.stringify(renderOpenApi(operations, product)));

const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const resolved = (node: Node): Node => {
  const reference = node.$ref;
  if (typeof reference !== 'string') return node;
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce((at, name) => at[name], document);
};

const isUnlimited = ({ type, maximum, exclusiveMaximum, enum: values, const: value }: Node) =>
  [type].flat().includes('integer') &&
  [maximum, exclusiveMaximum, values, value].every((limit) => limit === undefined);

/** Paths in a schema with integers that have no limits. */
const unlimitedIn = (given: Node, path: string, above: readonly Node[] = []): string[] => {
  const schema = resolved(given);
  if (above.includes(schema)) return [];
  const parts = Object.entries(schema).flatMap(([name, part]) => {
    const isSchema = isObject(part) && !['examples', 'example'].includes(name);
    return isSchema ? unlimitedIn(part, `${path}.${name}`, [...above, schema]) : [];
  });
  return isUnlimited(schema) ? [path, ...parts] : parts;
};

interface Method {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Node }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Node }>> };
}

const methods = Object.values(document.paths as Record<string, Record<string, Method>>).flatMap(
  (path) => Object.values(path).filter(({ operationId }) => operationId !== undefined),
);

describe('integers that clients send', () => {
  it('are published with the largest that the service takes', () => {
    const unlimited = methods.flatMap(({ operationId, parameters = [], requestBody }) => [
      ...parameters.flatMap(({ name, schema }) => unlimitedIn(schema, `${operationId} ${name}`)),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        unlimitedIn(schema, `${operationId} body`),
      ),
    ]);
    expect(unlimited).toEqual([]);
  });

  it.each(operations.map(({ id, parameters }) => [id, parameters] as const))(
    'are limited in options of %s as well',
    (id, parameters) => {
      expect(unlimitedIn(JSON.parse(JSON.stringify(parameters)), id)).toEqual([]);
    },
  );
});
