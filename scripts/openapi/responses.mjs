import { compareContent } from './content.mjs';
import { compareErrorCodes } from './error-codes.mjs';
import { found, under } from './findings.mjs';
import { mapOf, objectOf } from './json.mjs';
import { resolve } from './reference.mjs';
import { compareSchemas } from './schema.mjs';

/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Documents } from './schema.mjs' */

/**
 * @param {Documents} documents
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Finding[]}
 */
export function compareResponses(documents, before, after) {
  const is = mapOf(after);
  return [...mapOf(before)].flatMap(([status, node]) => {
    const now = resolve(documents.after, is.get(status));
    if (!now) return [found('status removed', status)];
    const old = objectOf(resolve(documents.before, node));
    return under(status, [
      ...compareErrorCodes(old, now),
      ...compareHeaders(documents, old, now),
      ...compareContent(documents, 'response', old.content, now.content),
    ]);
  });
}

/**
 * @param {Documents} documents
 * @param {JsonObject} before
 * @param {JsonObject} after
 * @returns {Finding[]}
 */
function compareHeaders(documents, before, after) {
  const is = headersOf(documents.after, after);
  return [...headersOf(documents.before, before)].flatMap(([name, old]) => {
    const step = `header ${name}`;
    const now = is.get(name);
    if (!now) return [found('header removed', step)];
    const optional = old.required === true && now.required !== true;
    return under(step, [
      ...(optional ? [found('header became optional')] : []),
      ...compareSchemas(documents, 'response', old.schema, now.schema),
      ...compareContent(documents, 'response', old.content, now.content),
    ]);
  });
}

/**
 * @param {JsonObject} document
 * @param {JsonObject} response
 * @returns {Map<string, JsonObject>}
 */
function headersOf(document, response) {
  /** @type {Map<string, JsonObject>} */
  const headers = new Map();
  for (const [name, node] of mapOf(response.headers)) {
    const header = resolve(document, node);
    if (header) headers.set(name.toLowerCase(), header);
  }
  return headers;
}
