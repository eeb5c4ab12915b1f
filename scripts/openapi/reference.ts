import { isObject, type JsonObject, mapOf } from './json.ts';

/** What a local reference (`#/components/…`) leads to; undefined when it leads nowhere. */
export function lookUp(document: JsonObject, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let node: unknown = document;
  for (const token of reference.split('/').slice(1)) {
    const name = decoded(token);
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    node = (node as JsonObject)[name];
  }
  return node;
}

/** The object behind a node that may be a reference, or a reference to one. */
export function resolve(document: JsonObject, node: unknown): JsonObject | undefined {
  const seen = new Set();
  let target = node;
  while (isObject(target) && typeof target.$ref === 'string') {
    if (seen.has(target)) return undefined;
    seen.add(target);
    target = lookUp(document, target.$ref);
  }
  return isObject(target) ? target : undefined;
}

/** The members of a node behind their references, without those that lead nowhere. */
export const membersOf = (
  document: JsonObject,
  node: unknown,
  rename = (name: string): string => name,
): Map<string, JsonObject> =>
  new Map(
    [...mapOf(node)].flatMap(([name, reference]) => {
      const member = resolve(document, reference);
      return member ? [[rename(name), member]] : [];
    }),
  );

/** The last step of a reference: the name of the component. */
export const nameOf = (reference: string): string =>
  decoded(reference.slice(reference.lastIndexOf('/') + 1));

function decoded(token: string): string {
  let name = token;
  try {
    name = decodeURIComponent(token);
  } catch {
    // A stray percent sign is part of the name.
  }
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
