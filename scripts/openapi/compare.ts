import { type Documents, type Finding, found, foundIf, under } from './comparison.ts';
import { isObject, type JsonObject, mapOf, objectOf } from './json.ts';
import { compareErrorCodes, compareOperations } from './operation.ts';
import { resolve } from './reference.ts';
import { compareSecuritySchemes } from './security.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export interface BreakingChange {
  readonly path: string;
  readonly change: string;
}

/**
 * Every difference between two OpenAPI 3.1 documents that can break a client which worked with
 * the first. Neither document is changed. Callbacks, webhooks, links and servers are not looked at.
 */
export function findBreakingChanges(before: JsonObject, after: JsonObject): BreakingChange[] {
  const documents = { before, after };
  const findings = [
    ...comparePaths(documents),
    ...under('document', compareErrorCodes(before, after)),
    ...under('components', compareComponents(documents)),
  ];
  const changes = findings.map(({ trail, change }) => ({ path: trail.join(' › '), change }));
  return [...new Map(changes.map((each) => [`${each.path}\n${each.change}`, each])).values()];
}

function comparePaths(documents: Documents): Finding[] {
  const is = mapOf(documents.after.paths);
  return [...mapOf(documents.before.paths)].flatMap(([path, node]) => {
    const was = resolve(documents.before, node);
    const now = resolve(documents.after, is.get(path));
    if (!was) return [];
    return now ? comparePathItems(documents, path, was, now) : [found('path removed', path)];
  });
}

function comparePathItems(
  documents: Documents,
  path: string,
  before: JsonObject,
  after: JsonObject,
): Finding[] {
  return methods.flatMap((method) => {
    const [was, is] = [before[method], after[method]];
    const step = `${method.toUpperCase()} ${path}`;
    if (!isObject(was)) return [];
    if (!isObject(is)) return [found('operation removed', step)];
    const endpoints = [
      { pathItem: before, operation: was },
      { pathItem: after, operation: is },
    ] as const;
    return under(step, compareOperations(documents, ...endpoints));
  });
}

/**
 * Clients generate types from components, so a name that disappears breaks them by itself. Not so
 * for shared responses: they are compared where operations use them, and their names are ours.
 */
function compareComponents(documents: Documents): Finding[] {
  const was = objectOf(documents.before.components);
  const is = objectOf(documents.after.components);
  const sections = Object.keys(was).filter(
    (section) => section !== 'responses' && !section.startsWith('x-'),
  );
  const removed = sections.flatMap((section) => {
    const kept = mapOf(mapOf(is).get(section));
    return [...mapOf(was[section]).keys()].flatMap((name) =>
      foundIf(!kept.has(name), 'component removed', section, name),
    );
  });
  return [...removed, ...compareErrorCodes(was, is), ...compareSecuritySchemes(documents)];
}
