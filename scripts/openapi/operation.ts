import {
  type CompareNodes,
  compareFields,
  compareNamed,
  type Documents,
  type Finding,
  found,
  foundIf,
  under,
} from './comparison.ts';
import { compareContent } from './content.ts';
import { isObject, type JsonObject, listOf, show } from './json.ts';
import { compareParameters } from './parameters.ts';
import { membersOf, resolve } from './reference.ts';
import { compareSecurity } from './security.ts';

export const compareOperations: CompareNodes = (documents, was, is) => [
  ...(was.operationId === undefined ? [] : compareFields(['operationId'], was, is)),
  ...compareSecurity(documents, was, is),
  ...compareParameters(documents, was, is),
  ...under('request', compareBodies(documents, was.requestBody, is.requestBody)),
  ...compareErrorCodes(was, is),
  ...compareResponses(documents, was, is),
];

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

const compareResponses: CompareNodes = (documents, before, after) =>
  compareNamed(
    membersOf(documents.before, before.responses),
    membersOf(documents.after, after.responses),
    'status removed',
    (was, is) => [
      ...compareErrorCodes(was, is),
      ...compareHeaders(documents, was, is),
      ...compareContent(documents, 'response', was, is),
    ],
  );

const compareHeaders: CompareNodes = (documents, before, after) => {
  const rename = (name: string): string => `header ${name.toLowerCase()}`;
  const was = membersOf(documents.before, before.headers, rename);
  const is = membersOf(documents.after, after.headers, rename);
  return compareNamed(was, is, 'header removed', (old, now) => [
    ...foundIf(old.required === true && now.required !== true, 'header became optional'),
    ...compareContent(documents, 'response', old, now),
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
