import { found } from './findings.mjs';
import { listOf, mapOf, show, showList } from './json.mjs';
import { resolve } from './reference.mjs';

/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Documents } from './schema.mjs' */

/** @typedef {Map<string, unknown>} Requirement schemes that are needed together, with scopes */

/**
 * Every way of authorizing that sufficed must still suffice.
 *
 * @param {Documents} documents
 * @param {JsonObject} before
 * @param {JsonObject} after
 * @returns {Finding[]}
 */
export function compareSecurity(documents, before, after) {
  const accepted = requirementsOf(documents.after, after);
  return requirementsOf(documents.before, before).flatMap((sent) => {
    const [fewest] = accepted
      .map((needed) => missingFrom(sent, needed))
      .sort((left, right) => left.length - right.length);
    if (!fewest || fewest.length === 0) return [];
    const whom = sent.size === 0 ? '' : ` for clients that use ${showList([...sent.keys()])}`;
    return [found(`security requirement ${showList(fewest)} added${whom}`)];
  });
}

/**
 * How a credential is sent belongs to the scheme; another scheme type or header locks clients out.
 *
 * @param {Documents} documents
 * @returns {Finding[]}
 */
export function compareSecuritySchemes(documents) {
  const was = schemesOf(documents.before);
  const is = schemesOf(documents.after);
  return [...was].flatMap(([name, node]) => {
    const old = resolve(documents.before, node);
    const now = resolve(documents.after, is.get(name));
    if (!old || !now) return [];
    return ['type', 'scheme', 'in', 'name', 'openIdConnectUrl']
      .filter((field) => old[field] !== now[field])
      .map((field) =>
        found(
          `${field} changed from ${show(old[field])} to ${show(now[field])}`,
          'components',
          'securitySchemes',
          name,
        ),
      );
  });
}

/** @param {JsonObject} document */
const schemesOf = (document) => mapOf(mapOf(document.components).get('securitySchemes'));

/**
 * @param {JsonObject} document
 * @param {JsonObject} operation
 * @returns {Requirement[]}
 */
function requirementsOf(document, operation) {
  const requirements = listOf(operation.security ?? document.security).map(mapOf);
  // An empty list asks for nothing, as an empty requirement does.
  return requirements.length === 0 ? [new Map()] : requirements;
}

/**
 * @param {Requirement} sent
 * @param {Requirement} needed
 */
const missingFrom = (sent, needed) =>
  [...needed].flatMap(([scheme, scopes]) => {
    if (!sent.has(scheme)) return [scheme];
    const held = listOf(sent.get(scheme));
    return listOf(scopes)
      .filter((scope) => !held.includes(scope))
      .map((scope) => `${scheme} ${scope}`);
  });
