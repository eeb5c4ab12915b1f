import { inside } from './findings.mjs';
import { listOf } from './json.mjs';

/** @import { Alternative } from './alternatives.mjs' */
/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Comparison } from './schema.mjs' */

/**
 * @param {Comparison} comparison
 * @param {Alternative} before
 * @param {Alternative} after
 * @returns {Finding[]}
 */
export function compareArrays(comparison, before, after) {
  const [was, is] = [arrayShape(before.parts), arrayShape(after.parts)];
  const leading = Math.max(was.leading, is.leading);
  const findings = inside(
    '[]',
    comparison.compare(comparison, was.item(leading), is.item(leading)),
  );
  for (let at = 0; at < leading; at += 1) {
    findings.push(...inside(`[${at}]`, comparison.compare(comparison, was.item(at), is.item(at))));
  }
  return findings;
}

/**
 * @param {JsonObject[]} parts
 */
function arrayShape(parts) {
  return {
    /** How many items have a schema of their own. */
    leading: Math.max(0, ...parts.map((part) => listOf(part.prefixItems).length)),
    /** @param {number} at */
    item: (at) =>
      parts
        .map((part) => listOf(part.prefixItems)[at] ?? part.items)
        .filter((schema) => schema !== undefined),
  };
}
