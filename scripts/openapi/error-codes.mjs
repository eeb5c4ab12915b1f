import { found } from './findings.mjs';
import { isObject, listOf, show } from './json.mjs';

/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */

/**
 * Error codes that a node documents in `x-error-codes`: a list of texts or of objects with a
 * `code`, or an object with a member for each code.
 *
 * @param {JsonObject} before
 * @param {JsonObject} after
 * @returns {Finding[]}
 */
export function compareErrorCodes(before, after) {
  const is = codesOf(after);
  return codesOf(before)
    .filter((code) => !is.includes(code))
    .map((code) => found(`error code ${show(code)} removed`));
}

/**
 * @param {JsonObject} node
 * @returns {unknown[]}
 */
function codesOf(node) {
  const codes = node['x-error-codes'];
  if (isObject(codes)) return Object.keys(codes);
  return listOf(codes).map((entry) => (isObject(entry) ? entry.code : entry));
}
