import { isObject } from './json.mjs';

/** @import { JsonObject } from './json.mjs' */

/**
 * What a local reference (`#/components/…`) leads to; undefined when it leads nowhere.
 *
 * @param {JsonObject} document
 * @param {string} reference
 * @returns {unknown}
 */
export function lookUp(document, reference) {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  /** @type {unknown} */
  let node = document;
  for (const token of reference.split('/').slice(1)) {
    const name = decoded(token);
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    node = /** @type {JsonObject} */ (node)[name];
  }
  return node;
}

/**
 * The object behind a node that may be a reference, or a reference to one.
 *
 * @param {JsonObject} document
 * @param {unknown} node
 * @returns {JsonObject | undefined}
 */
export function resolve(document, node) {
  const seen = new Set();
  let target = node;
  while (isObject(target) && typeof target.$ref === 'string') {
    if (seen.has(target)) return undefined;
    seen.add(target);
    target = lookUp(document, target.$ref);
  }
  return isObject(target) ? target : undefined;
}

/**
 * The last step of a reference: the name of the component.
 *
 * @param {string} reference
 */
export const nameOf = (reference) => decoded(reference.slice(reference.lastIndexOf('/') + 1));

/** @param {string} token */
function decoded(token) {
  return percentDecoded(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @param {string} token */
function percentDecoded(token) {
  try {
    return decodeURIComponent(token);
  } catch {
    // A stray percent sign is part of the name.
    return token;
  }
}
