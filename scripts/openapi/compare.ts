import { type Documents, type Finding, found, foundIf, under } from './comparison.ts';
import { isObject, type JsonObject, listOf, mapOf, objectOf } from './json.ts';
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
  const pathsAfter = mapOf(documents.after.paths);
  return [...mapOf(documents.before.paths)].flatMap(([path, node]) => {
    const old = resolve(documents.before, node);
    const now = resolve(documents.after, pathsAfter.get(path));
    if (!old) return [];
    if (!now) return [found('path removed', path)];
    return methods.flatMap((method) => {
      const [was, is] = [operationOf(old, method), operationOf(now, method)];
      const step = `${method.toUpperCase()} ${path}`;
      if (!was) return [];
      if (!is) return [found('operation removed', step)];
      return under(step, compareOperations(documents, was, is));
    });
  });
}

/** With the parameters of its path item before its own. */
function operationOf(pathItem: JsonObject, method: string): JsonObject | undefined {
  const operation = pathItem[method];
  if (!isObject(operation)) return undefined;
  const parameters = [...listOf(pathItem.parameters), ...listOf(operation.parameters)];
  return { ...operation, parameters };
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
