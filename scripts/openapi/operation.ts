import {
  type CompareNodes,
  compareFields,
  compareNamed,
  type Direction,
  type Documents,
  type Finding,
  found,
  foundIf,
  under,
} from './comparison.ts';
import { isObject, type JsonObject, listOf, show } from './json.ts';
import { membersOf, resolve } from './reference.ts';
import { compareSchemas } from './schema.ts';
import { compareSecurity } from './security.ts';

export const compareOperations: CompareNodes = (documents, was, is) => [
  ...(was.operationId === undefined ? [] : compareFields(['operationId'], was, is)),
  ...compareSecurity(documents, was, is),
  ...compareParameters(documents, was, is),
  ...under('request', compareBodies(documents, was.requestBody, is.requestBody)),
  ...compareErrorCodes(was, is),
  ...compareResponses(documents, was, is),
];

/** What a body, response, header or parameter holds: its `schema`, and one for each media type. */
const compareContent =
  (direction: Direction): CompareNodes =>
  (documents, before, after) => {
    const compare = (was: JsonObject, is: JsonObject): readonly Finding[] =>
      compareSchemas(documents, direction, was.schema, is.schema);
    const was = membersOf(documents.before, before.content, (name) => name.toLowerCase());
    const is = membersOf(documents.after, after.content, (name) => name.toLowerCase());
    return [...compare(before, after), ...compareNamed(was, is, 'media type removed', compare)];
  };
const compareRequest = compareContent('request');
const compareResponse = compareContent('response');

/** The parameters of two operations, of which later ones override those of the same name. */
const compareParameters: CompareNodes = (documents, before, after) => {
  const was = parametersOf(documents.before, before);
  const is = parametersOf(documents.after, after);
  const removed = [...was].filter(([key]) => !is.has(key));
  const added = [...is].filter(([key]) => !was.has(key));
  const namesake = (among: [string, JsonObject][], { name }: JsonObject): JsonObject | undefined =>
    among.find(([, other]) => other.name === name)?.[1];
  const findings = [...was].flatMap(([key, old]) => {
    const now = is.get(key) ?? namesake(added, old);
    return under(key, now ? compareParameter(documents, old, now) : [found('parameter removed')]);
  });
  const demands = added.filter(([, each]) => each.required === true && !namesake(removed, each));
  return [...findings, ...demands.map(([key]) => found('required parameter added', key))];
};

const compareParameter: CompareNodes = (documents, was, is) => {
  if (was.in !== is.in) return compareFields(['in'], was, is);
  const lost = (field: string): boolean => was[field] === true && is[field] !== true;
  const isContent = was.content === undefined && is.content !== undefined;
  return [
    ...foundIf(is.required === true && was.required !== true, 'parameter became required'),
    ...compareFields(['style', 'explode'], was, is),
    ...foundIf(isContent, 'content replaces schema'),
    ...foundIf(lost('allowReserved'), 'allowReserved removed'),
    ...foundIf(lost('allowEmptyValue'), 'allowEmptyValue removed'),
    ...compareRequest(documents, was, is),
  ];
};

/** Each with the defaults that a document may leave out. */
function parametersOf(document: JsonObject, operation: JsonObject): Map<string, JsonObject> {
  const parameters = listOf(operation.parameters).flatMap((reference): [string, JsonObject][] => {
    const node = resolve(document, reference);
    if (!node) return [];
    const name = node.in === 'header' ? String(node.name).toLowerCase() : node.name;
    const style = node.style ?? (node.in === 'query' || node.in === 'cookie' ? 'form' : 'simple');
    return [[`${node.in} ${name}`, { explode: style === 'form', ...node, name, style }]];
  });
  return new Map(parameters);
}

function compareBodies(documents: Documents, before: unknown, after: unknown): Finding[] {
  const was = resolve(documents.before, before);
  const is = resolve(documents.after, after);
  if (!is) return foundIf(was !== undefined, 'body removed');
  if (!was) return foundIf(is.required === true, 'required body added');
  return [
    ...foundIf(is.required === true && was.required !== true, 'body became required'),
    ...compareRequest(documents, was, is),
  ];
}

const compareResponses: CompareNodes = (documents, before, after) => {
  const was = membersOf(documents.before, before.responses);
  const is = membersOf(documents.after, after.responses);
  return compareNamed(was, is, 'status removed', (old, now) => [
    ...compareErrorCodes(old, now),
    ...compareHeaders(documents, old, now),
    ...compareResponse(documents, old, now),
  ]);
};

const compareHeaders: CompareNodes = (documents, before, after) => {
  const rename = (name: string): string => `header ${name.toLowerCase()}`;
  const was = membersOf(documents.before, before.headers, rename);
  const is = membersOf(documents.after, after.headers, rename);
  return compareNamed(was, is, 'header removed', (old, now) => [
    ...foundIf(old.required === true && now.required !== true, 'header became optional'),
    ...compareResponse(documents, old, now),
  ]);
};

/**
 * Error codes that a node documents in `x-error-codes`: a list of texts or of objects with a
 * `code`, or an object with a member for each code.
 */
export function compareErrorCodes(before: JsonObject, after: JsonObject): Finding[] {
  const is = codesOf(after);
  const gone = codesOf(before).filter((code) => !is.includes(code));
  return gone.map((code) => found(`error code ${show(code)} removed`));
}

function codesOf({ 'x-error-codes': codes }: JsonObject): unknown[] {
  if (isObject(codes)) return Object.keys(codes);
  return listOf(codes).map((entry) => (isObject(entry) ? entry.code : entry));
}
