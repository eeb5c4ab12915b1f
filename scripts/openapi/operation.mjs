import { compareContent } from './content.mjs';
import { compareErrorCodes } from './error-codes.mjs';
import { found, under } from './findings.mjs';
import { show } from './json.mjs';
import { compareParameters } from './parameters.mjs';
import { resolve } from './reference.mjs';
import { compareResponses } from './responses.mjs';
import { compareSecurity } from './security.mjs';

/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Documents } from './schema.mjs' */

/** @typedef {{ pathItem: JsonObject, operation: JsonObject }} Endpoint */

/**
 * @param {Documents} documents
 * @param {Endpoint} before
 * @param {Endpoint} after
 * @returns {Finding[]}
 */
export function compareOperations(documents, before, after) {
  const [was, is] = [before.operation, after.operation];
  return [
    ...compareId(was.operationId, is.operationId),
    ...compareSecurity(documents, was, is),
    ...compareParameters(documents, [before.pathItem, was], [after.pathItem, is]),
    ...under('request', compareBodies(documents, was.requestBody, is.requestBody)),
    ...compareErrorCodes(was, is),
    ...compareResponses(documents, was.responses, is.responses),
  ];
}

/**
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Finding[]}
 */
function compareId(before, after) {
  if (before === undefined || before === after) return [];
  if (after === undefined) return [found(`operationId ${show(before)} removed`)];
  return [found(`operationId changed from ${show(before)} to ${show(after)}`)];
}

/**
 * @param {Documents} documents
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Finding[]}
 */
function compareBodies(documents, before, after) {
  const was = resolve(documents.before, before);
  const is = resolve(documents.after, after);
  if (!is) return was ? [found('body removed')] : [];
  if (!was) return is.required === true ? [found('required body added')] : [];
  const required = is.required === true && was.required !== true;
  return [
    ...(required ? [found('body became required')] : []),
    ...compareContent(documents, 'request', was.content, is.content),
  ];
}
