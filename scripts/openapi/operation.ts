import {
  both,
  type CompareNodes,
  compareNamed,
  compareRest,
  type Direction,
  type Finding,
  found,
  foundIf,
  under,
} from './finding.ts';
import { includesJson, isObject, type JsonObject, listOf, show } from './json.ts';
import { membersOf, resolve } from './references.ts';
import { compareSchemas } from './schema.ts';

const understood = ['security', 'parameters', 'requestBody', 'responses'];

export const compareOperations: CompareNodes = (was, is) => [
  ...compareSecurity(was, is),
  ...compareParameters(was, is),
  ...under('request', compareBodies(was, is)),
  ...compareErrorCodes(was, is),
  ...compareNamed(
    membersOf(was.responses),
    membersOf(is.responses),
    'status removed',
    compareResponses,
  ),
  // Adding an operation id takes nothing away from clients.
  ...compareRest([...understood, was.operationId ? '' : 'operationId'], [was], [is]),
];

/** Every authorization that sufficed must still suffice. */
const compareSecurity: CompareNodes = (before, after) => {
  const [was, is] = both(before, after, waysOf);
  const lost = was.filter((way) => !includesJson(is, way) && !includesJson(is, {}));
  return lost.map((way) => found(`security ${show(way)} suffices no more`));
};

/** An empty list requires nothing, like an empty requirement. */
const waysOf = ({ security }: JsonObject): unknown[] => {
  const ways = listOf(security);
  return ways.length > 0 ? ways : [{}];
};

/** Compares the schema of a parameter, a header or a media type. */
const compareSchemaOf =
  (direction: Direction): CompareNodes =>
  (was, is) => [
    ...compareSchemas(direction, was.schema, is.schema),
    ...compareRest(['name', 'in', 'required', 'schema'], [was], [is]),
  ];

const compareContent = (direction: Direction, before: JsonObject, after: JsonObject): Finding[] => {
  const [was, is] = both(before, after, ({ content }) => membersOf(content));
  return compareNamed(was, is, 'media type removed', compareSchemaOf(direction));
};

const compareParameters: CompareNodes = (before, after) => {
  const [was, is] = both(before, after, parametersOf);
  const added = [...is].filter(([key, { required }]) => required === true && !was.has(key));
  return [
    ...compareNamed(was, is, 'parameter removed', (old, now) => [
      ...foundIf(hasGained('required', old, now), 'parameter became required'),
      ...compareSchemaOf('request')(old, now),
    ]),
    ...added.map(([key]) => found('required parameter added', key)),
  ];
};

const parametersOf = ({ parameters }: JsonObject): Map<string, JsonObject> =>
  new Map([...membersOf(parameters).values()].map((node) => [`${node.in} ${node.name}`, node]));

const compareBodies: CompareNodes = (before, after) => {
  const [was, is] = [resolve(before.requestBody), resolve(after.requestBody)];
  if (!is) return foundIf(was !== undefined, 'body removed');
  if (!was) return foundIf(is.required === true, 'required body added');
  return [
    ...foundIf(hasGained('required', was, is), 'body became required'),
    ...compareContent('request', was, is),
    ...compareRest(['required', 'content'], [was], [is]),
  ];
};

const compareResponses: CompareNodes = (before, after) => {
  const [was, is] = both(before, after, ({ headers }) => membersOf(headers));
  const headers = compareNamed(was, is, 'header removed', (old, now) => [
    ...foundIf(hasGained('required', now, old), 'header became optional'),
    ...compareSchemaOf('response')(old, now),
  ]);
  return [
    ...compareErrorCodes(before, after),
    ...under('headers', headers),
    ...compareContent('response', before, after),
    ...compareRest(['headers', 'content'], [before], [after]),
  ];
};

const hasGained = (flag: string, was: JsonObject, is: JsonObject): boolean =>
  is[flag] === true && was[flag] !== true;

/** Error codes in `x-error-codes`: a list of texts, or of objects with a `code`. */
export const compareErrorCodes: CompareNodes = (before, after) => {
  const [was, is] = both(before, after, ({ 'x-error-codes': codes }) =>
    listOf(codes).map((entry) => (isObject(entry) ? entry.code : entry)),
  );
  const gone = was.filter((code) => !is.includes(code));
  return gone.map((code) => found(`error code ${show(code)} removed`));
};
