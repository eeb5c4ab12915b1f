import {
  type CompareNodes,
  compareFields,
  compareNamed,
  type Finding,
  found,
  under,
} from './finding.ts';
import { isObject, type JsonObject, listOf, mapOf, objectOf } from './json.ts';
import { compareErrorCodes, compareOperations } from './operation.ts';
import { link, membersOf, resolve } from './references.ts';

export interface BreakingChange {
  readonly path: string;
  readonly change: string;
}

/**
 * Every difference between two OpenAPI 3.1 documents that can break a client which worked with
 * the first. Neither document is changed. Callbacks, webhooks, links and servers are not looked at.
 */
export function findBreakingChanges(before: JsonObject, after: JsonObject): BreakingChange[] {
  const [was, is] = [link(before), link(after)];
  const findings = [
    ...comparePaths(was, is),
    ...under('document', compareErrorCodes(was, is)),
    ...under('components', compareComponents(objectOf(was.components), objectOf(is.components))),
  ];
  // Steps into arrays stick to what they lead into: `jobs[]`.
  const pathOf = (trail: readonly string[]) => trail.join(' › ').replaceAll(/ › (?=\[\d*\])/g, '');
  const changes = findings.map(({ trail, change }) => ({ path: pathOf(trail), change }));
  return [...new Map(changes.map((each) => [`${each.path}\n${each.change}`, each])).values()];
}

const comparePaths: CompareNodes = (before, after) => {
  const is = membersOf(after.paths);
  return [...membersOf(before.paths)].flatMap(([path, item]) => {
    const same = is.get(path);
    if (!same) return [found('path removed', path)];
    const [old, now] = [operationsOf(before, path, item), operationsOf(after, path, same)];
    return compareNamed(old, now, 'operation removed', compareOperations);
  });
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Each with what its path item and the document say for all their operations. */
const operationsOf = (document: JsonObject, path: string, item: JsonObject) =>
  new Map(
    methods.flatMap((method): [string, JsonObject][] => {
      const operation = item[method];
      if (!isObject(operation)) return [];
      const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)];
      const security = operation.security ?? document.security;
      return [[`${method.toUpperCase()} ${path}`, { ...operation, parameters, security }]];
    }),
  );

/**
 * Clients generate types from components, so a name that disappears breaks them by itself. Not so
 * for shared responses: they are compared where operations use them, and their names are ours.
 */
const compareComponents: CompareNodes = (before, after) => [
  ...Object.keys(before)
    .filter((section) => section !== 'responses' && !section.startsWith('x-'))
    .flatMap((section) => {
      const [was, is] = [mapOf(before[section]), mapOf(after[section])];
      const compare = section === 'securitySchemes' ? compareSecuritySchemes : undefined;
      return under(section, compareNamed(was, is, 'component removed', compare));
    }),
  ...compareErrorCodes(before, after),
];

/** How a credential is sent belongs to the scheme: another type or header locks clients out. */
const compareSecuritySchemes = (was: unknown, is: unknown): Finding[] =>
  compareFields(
    ['type', 'scheme', 'in', 'name', 'openIdConnectUrl'],
    objectOf(resolve(was)),
    objectOf(resolve(is)),
  );
