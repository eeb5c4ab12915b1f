import { isObject, type JsonObject, listOf, mapOf } from './json.ts';

/** Member of a reference that holds its target. */
const target = Symbol('target');
type Reference = { [target]?: unknown };

/**
 * A copy of a document with resolved references. A reference to nothing becomes `{ dangling:
 * 'elsewhere.json' }`.
 */
export function link(document: JsonObject): JsonObject {
  const linked = structuredClone(document);
  const visit = (node: unknown): void => {
    const { $ref } = isObject(node) ? node : {};
    if (typeof $ref === 'string') {
      (node as Reference)[target] = lookUp(linked, $ref) ?? { dangling: $ref };
    }
    for (const member of mapOf(node).values()) visit(member);
  };
  visit(linked);
  return linked;
}

const lookUp = (document: JsonObject, reference: string): unknown => {
  const [root, ...steps] = reference.split('/').map(decoded);
  if (root !== '#') return undefined;
  return steps.reduce<unknown>((node, step) => mapOf(node).get(step), document);
};

/** Nodes and everything they include through `$ref` and `allOf`, once each. */
export function flatten(nodes: readonly unknown[], seen: Set<unknown> = new Set()): Set<unknown> {
  for (const node of nodes) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (!isObject(node)) continue;
    if (target in node) flatten([(node as Reference)[target]], seen);
    flatten(listOf(node.allOf), seen);
  }
  return seen;
}

/** The object that a node refers to, through any number of references. */
export const resolve = (node: unknown): JsonObject | undefined =>
  [...flatten([node])].filter(isObject).find((each) => !('$ref' in each || 'dangling' in each));

/** Resolved members of a node, without dangling ones. */
export const membersOf = (node: unknown): Map<string, JsonObject> =>
  new Map(
    [...mapOf(node)].flatMap(([name, reference]): [string, JsonObject][] => {
      const member = resolve(reference);
      return member ? [[name, member]] : [];
    }),
  );

/** Component name: the last step of a reference. */
export const nameOf = (reference: string): string => decoded(reference.split('/').at(-1) ?? '');

function decoded(token: string): string {
  const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // A stray percent sign is part of the name.
  }
}
