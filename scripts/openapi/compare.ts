import {
  type CompareNodes,
  compareNamed,
  compareRest,
  type Finding,
  found,
  under,
} from './finding.ts';
import { type JsonObject, mapOf, objectOf } from './json.ts';
import { compareErrorCodes, compareOperations } from './operation.ts';
import { link, membersOf, resolve } from './references.ts';

export interface BreakingChange {
  readonly path: string;
  readonly change: string;
}

/**
 * All differences between two OpenAPI 3.1 documents that can break a client of the first.
 * Server addresses are not compared.
 */
export function findBreakingChanges(before: JsonObject, after: JsonObject): BreakingChange[] {
  const [was, is] = [link(before), link(after)];
  const findings = [
    ...comparePaths(membersOf(was.paths), membersOf(is.paths)),
    ...under('document', [
      ...compareErrorCodes(was, is),
      ...compareRest(['openapi', 'info', 'servers', 'paths', 'components'], [was], [is]),
    ]),
    ...under('components', compareComponents(objectOf(was.components), objectOf(is.components))),
  ];
  // Array steps are joined to the previous step: `jobs[]`.
  const pathOf = (trail: readonly string[]) => trail.join(' › ').replaceAll(/ › (?=\[\])/g, '');
  const changes = findings.map(({ trail, change }) => ({ path: pathOf(trail), change }));
  return [...new Map(changes.map((each) => [`${each.path}\n${each.change}`, each])).values()];
}

type Members = ReadonlyMap<string, JsonObject>;

const comparePaths = (was: Members, is: Members) =>
  [...was].flatMap(([path, item]) => {
    const other = is.get(path);
    if (!other) return [found('path removed', path)];
    const [old, now] = [operationsOf(path, item), operationsOf(path, other)];
    return [
      ...compareNamed(old, now, 'operation removed', compareOperations),
      ...under(path, compareRest(methods, [item], [other])),
    ];
  });

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

const operationsOf = (path: string, item: JsonObject): Members =>
  new Map(
    [...membersOf(item)]
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );

/**
 * Clients generate types from components, so a removed name breaks them. Shared responses are
 * compared where operations use them; their names do not matter.
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

/** The scheme defines how credentials are sent: another type or header locks clients out. */
const compareSecuritySchemes = (was: unknown, is: unknown): Finding[] =>
  compareRest([], [objectOf(resolve(was))], [objectOf(resolve(is))]);
