import { compareNamed, type Documents, type Finding, found, under } from './comparison.ts';
import { isObject, type JsonObject, listOf, mapOf, objectOf } from './json.ts';
import { compareErrorCodes, compareOperations } from './operation.ts';
import { membersOf } from './reference.ts';
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
  const is = membersOf(documents.after, documents.after.paths);
  return [...membersOf(documents.before, documents.before.paths)].flatMap(([path, item]) => {
    const same = is.get(path);
    if (!same) return [found('path removed', path)];
    const [old, now] = [operationsOf(path, item), operationsOf(path, same)];
    return compareNamed(old, now, 'operation removed', (before, after) =>
      compareOperations(documents, before, after),
    );
  });
}

/** Each with the parameters of its path item before its own. */
const operationsOf = (path: string, item: JsonObject): Map<string, JsonObject> =>
  new Map(
    methods.flatMap((method) => {
      const operation = item[method];
      if (!isObject(operation)) return [];
      const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)];
      return [[`${method.toUpperCase()} ${path}`, { ...operation, parameters }]];
    }),
  );

/**
 * Clients generate types from components, so a name that disappears breaks them by itself. Not so
 * for shared responses: they are compared where operations use them, and their names are ours.
 */
function compareComponents(documents: Documents): Finding[] {
  const [was, is] = [objectOf(documents.before.components), objectOf(documents.after.components)];
  const findings = Object.keys(was)
    .filter((section) => section !== 'responses' && !section.startsWith('x-'))
    .flatMap((section) =>
      under(section, compareNamed(mapOf(was[section]), mapOf(is[section]), 'component removed')),
    );
  return [...findings, ...compareErrorCodes(was, is), ...compareSecuritySchemes(documents)];
}
