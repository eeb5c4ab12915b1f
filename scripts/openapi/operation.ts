import {
  both,
  type CompareNodes,
  compareFields,
  compareNamed,
  type Direction,
  type Finding,
  found,
  foundIf,
  under,
} from './finding.ts';
import { isObject, type JsonObject, listOf, mapOf, show, showList } from './json.ts';
import { membersOf, resolve } from './references.ts';
import { compareSchemas } from './schema.ts';

export const compareOperations: CompareNodes = (was, is) => [
  ...(was.operationId === undefined ? [] : compareFields(['operationId'], was, is)),
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
];

/** Schemes that are needed together, with scopes. */
type Requirement = ReadonlyMap<string, unknown>;

/** Every way of authorizing that sufficed must still suffice. */
const compareSecurity: CompareNodes = (before, after) => {
  const accepted = requirementsOf(after.security);
  return requirementsOf(before.security).flatMap((sent) => {
    const [fewest = []] = accepted
      .map((needed) => missingFrom(sent, needed))
      .sort((left, right) => left.length - right.length);
    const clients = sent.size === 0 ? '' : ` for clients that use ${showList(sent.keys())}`;
    return foundIf(fewest.length > 0, `security requirement ${showList(fewest)} added${clients}`);
  });
};

/** An empty list asks for nothing, as an empty requirement does. */
const requirementsOf = (security: unknown): Requirement[] => {
  const requirements = listOf(security).map(mapOf);
  return requirements.length === 0 ? [new Map()] : requirements;
};

const missingFrom = (sent: Requirement, needed: Requirement): string[] =>
  [...needed].flatMap(([scheme, scopes]) => {
    if (!sent.has(scheme)) return [scheme];
    const held = listOf(sent.get(scheme));
    const missing = listOf(scopes).filter((scope) => !held.includes(scope));
    return missing.map((scope) => `${scheme} ${scope}`);
  });

/** What a body, response, header or parameter holds: its `schema`, and one for each media type. */
const compareContent = (direction: Direction, before: JsonObject, after: JsonObject): Finding[] => {
  const compare: CompareNodes = (was, is) => compareSchemas(direction, was.schema, is.schema);
  const [was, is] = both(before, after, ({ content }) =>
    membersOf(content, (name) => name.toLowerCase()),
  );
  return [...compare(before, after), ...compareNamed(was, is, 'media type removed', compare)];
};

/** The parameters of two operations, of which later ones override those of the same name. */
const compareParameters: CompareNodes = (before, after) => {
  const [was, is] = both(before, after, parametersOf);
  const removed = [...was].filter(([key]) => !is.has(key));
  const added = [...is].filter(([key]) => !was.has(key));
  const namesake = (among: [string, JsonObject][], { name }: JsonObject): JsonObject | undefined =>
    among.find(([, other]) => other.name === name)?.[1];
  const findings = [...was].flatMap(([key, old]) => {
    const now = is.get(key) ?? namesake(added, old);
    return under(key, now ? compareParameter(old, now) : [found('parameter removed')]);
  });
  const demands = added.filter(([, each]) => each.required === true && !namesake(removed, each));
  return [...findings, ...demands.map(([key]) => found('required parameter added', key))];
};

const compareParameter: CompareNodes = (was, is) => {
  if (was.in !== is.in) return compareFields(['in'], was, is);
  const isContent = was.content === undefined && is.content !== undefined;
  return [
    ...foundIf(hasGained('required', was, is), 'parameter became required'),
    ...compareFields(['style', 'explode'], was, is),
    ...foundIf(isContent, 'content replaces schema'),
    ...foundIf(hasGained('allowReserved', is, was), 'allowReserved removed'),
    ...foundIf(hasGained('allowEmptyValue', is, was), 'allowEmptyValue removed'),
    ...compareContent('request', was, is),
  ];
};

/** Each with the defaults that a document may leave out. */
const parametersOf = ({ parameters }: JsonObject): Map<string, JsonObject> =>
  new Map(
    [...membersOf(parameters).values()].map((node) => {
      const name = node.in === 'header' ? String(node.name).toLowerCase() : node.name;
      const style = node.style ?? (node.in === 'query' || node.in === 'cookie' ? 'form' : 'simple');
      return [`${node.in} ${name}`, { explode: style === 'form', ...node, name, style }];
    }),
  );

const compareBodies: CompareNodes = (before, after) => {
  const [was, is] = [resolve(before.requestBody), resolve(after.requestBody)];
  if (!is) return foundIf(was !== undefined, 'body removed');
  if (!was) return foundIf(is.required === true, 'required body added');
  return [
    ...foundIf(hasGained('required', was, is), 'body became required'),
    ...compareContent('request', was, is),
  ];
};

const compareResponses: CompareNodes = (before, after) => {
  const [was, is] = both(before, after, ({ headers }) =>
    membersOf(headers, (name) => `header ${name.toLowerCase()}`),
  );
  return [
    ...compareErrorCodes(before, after),
    ...compareNamed(was, is, 'header removed', (old, now) => [
      ...foundIf(hasGained('required', now, old), 'header became optional'),
      ...compareContent('response', old, now),
    ]),
    ...compareContent('response', before, after),
  ];
};

const hasGained = (flag: string, was: JsonObject, is: JsonObject): boolean =>
  is[flag] === true && was[flag] !== true;

/**
 * Error codes that a node documents in `x-error-codes`: a list of texts or of objects with a
 * `code`, or an object with a member for each code.
 */
export const compareErrorCodes: CompareNodes = (before, after) => {
  const is = codesOf(after);
  const gone = codesOf(before).filter((code) => !is.includes(code));
  return gone.map((code) => found(`error code ${show(code)} removed`));
};

const codesOf = ({ 'x-error-codes': codes }: JsonObject): unknown[] =>
  isObject(codes)
    ? Object.keys(codes)
    : listOf(codes).map((entry) => (isObject(entry) ? entry.code : entry));
