import {
  type CompareNodes,
  type Documents,
  type Finding,
  found,
  foundIf,
  under,
} from './comparison.ts';
import { compareContent } from './content.ts';
import { isObject, type JsonObject, listOf, mapOf, objectOf, show } from './json.ts';
import { compareParameters } from './parameters.ts';
import { resolve } from './reference.ts';
import { compareSecurity } from './security.ts';

export const compareOperations: CompareNodes = (documents, was, is) => [
  ...compareId(was.operationId, is.operationId),
  ...compareSecurity(documents, was, is),
  ...compareParameters(documents, was, is),
  ...under('request', compareBodies(documents, was.requestBody, is.requestBody)),
  ...compareErrorCodes(was, is),
  ...compareResponses(documents, was.responses, is.responses),
];

function compareId(before: unknown, after: unknown): Finding[] {
  if (before === undefined || before === after) return [];
  if (after === undefined) return [found(`operationId ${show(before)} removed`)];
  return [found(`operationId changed from ${show(before)} to ${show(after)}`)];
}

function compareBodies(documents: Documents, before: unknown, after: unknown): Finding[] {
  const was = resolve(documents.before, before);
  const is = resolve(documents.after, after);
  if (!is) return foundIf(was !== undefined, 'body removed');
  if (!was) return foundIf(is.required === true, 'required body added');
  return [
    ...foundIf(is.required === true && was.required !== true, 'body became required'),
    ...compareContent(documents, 'request', was, is),
  ];
}

function compareResponses(documents: Documents, before: unknown, after: unknown): Finding[] {
  const is = mapOf(after);
  return [...mapOf(before)].flatMap(([status, node]) => {
    const now = resolve(documents.after, is.get(status));
    if (!now) return [found('status removed', status)];
    const old = objectOf(resolve(documents.before, node));
    return under(status, [
      ...compareErrorCodes(old, now),
      ...compareHeaders(documents, old, now),
      ...compareContent(documents, 'response', old, now),
    ]);
  });
}

const compareHeaders: CompareNodes = (documents, before, after) => {
  const is = headersOf(documents.after, after);
  return [...headersOf(documents.before, before)].flatMap(([name, old]) => {
    const now = is.get(name);
    if (!now) return [found('header removed', `header ${name}`)];
    return under(`header ${name}`, [
      ...foundIf(old.required === true && now.required !== true, 'header became optional'),
      ...compareContent(documents, 'response', old, now),
    ]);
  });
};

const headersOf = (document: JsonObject, { headers }: JsonObject): Map<string, JsonObject> =>
  new Map(
    [...mapOf(headers)].flatMap(([name, node]) => {
      const header = resolve(document, node);
      return header ? [[name.toLowerCase(), header]] : [];
    }),
  );

/**
 * Error codes that a node documents in `x-error-codes`: a list of texts or of objects with a
 * `code`, or an object with a member for each code.
 */
export function compareErrorCodes(before: JsonObject, after: JsonObject): Finding[] {
  const is = codesOf(after);
  return codesOf(before).flatMap((code) =>
    foundIf(!is.includes(code), `error code ${show(code)} removed`),
  );
}

function codesOf({ 'x-error-codes': codes }: JsonObject): unknown[] {
  if (isObject(codes)) return Object.keys(codes);
  return listOf(codes).map((entry) => (isObject(entry) ? entry.code : entry));
}
