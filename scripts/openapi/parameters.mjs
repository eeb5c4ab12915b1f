import { compareContent } from './content.mjs';
import { found, under } from './findings.mjs';
import { listOf, show } from './json.mjs';
import { resolve } from './reference.mjs';
import { compareSchemas } from './schema.mjs';

/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Documents } from './schema.mjs' */

/** @typedef {{ name: string, place: string, node: JsonObject }} Parameter */

/**
 * @param {Documents} documents
 * @param {JsonObject[]} before path item and operation, the latter overriding
 * @param {JsonObject[]} after
 * @returns {Finding[]}
 */
export function compareParameters(documents, before, after) {
  const was = parametersOf(documents.before, before);
  const is = parametersOf(documents.after, after);
  /** @type {Set<Parameter>} */
  const moved = new Set();

  const findings = [...was].flatMap(([key, parameter]) => {
    const same = is.get(key);
    if (same) return under(key, compareParameter(documents, parameter, same));
    const elsewhere = [...is].find(
      ([other, { name }]) => name === parameter.name && !was.has(other),
    );
    if (!elsewhere) return [found('parameter removed', key)];
    moved.add(elsewhere[1]);
    return [found(`in changed from "${parameter.place}" to "${elsewhere[1].place}"`, key)];
  });
  const added = [...is].filter(
    ([key, parameter]) =>
      parameter.node.required === true && !was.has(key) && !moved.has(parameter),
  );
  return [...findings, ...added.map(([key]) => found('required parameter added', key))];
}

/**
 * @param {JsonObject} document
 * @param {JsonObject[]} owners
 * @returns {Map<string, Parameter>}
 */
function parametersOf(document, owners) {
  /** @type {Map<string, Parameter>} */
  const parameters = new Map();
  for (const reference of owners.flatMap((owner) => listOf(owner.parameters))) {
    const node = resolve(document, reference);
    if (!node) continue;
    const place = String(node.in);
    const name = place === 'header' ? String(node.name).toLowerCase() : String(node.name);
    parameters.set(`${place} ${name}`, { name, place, node });
  }
  return parameters;
}

/**
 * @param {Documents} documents
 * @param {Parameter} before
 * @param {Parameter} after
 * @returns {Finding[]}
 */
function compareParameter(documents, before, after) {
  const findings = [];
  if (after.node.required === true && before.node.required !== true) {
    findings.push(found('parameter became required'));
  }
  const [was, is] = [notationOf(before), notationOf(after)];
  for (const field of /** @type {const} */ (['style', 'explode'])) {
    if (was[field] === is[field]) continue;
    findings.push(found(`${field} changed from ${show(was[field])} to ${show(is[field])}`));
  }
  if (before.node.content === undefined && after.node.content !== undefined) {
    findings.push(found('content replaces schema'));
  }
  for (const freedom of ['allowReserved', 'allowEmptyValue']) {
    if (before.node[freedom] === true && after.node[freedom] !== true) {
      findings.push(found(`${freedom} removed`));
    }
  }
  findings.push(
    ...compareSchemas(documents, 'request', before.node.schema, after.node.schema),
    ...compareContent(documents, 'request', before.node.content, after.node.content),
  );
  return findings;
}

/**
 * How the value is written, with the defaults that a document may leave out.
 *
 * @param {Parameter} parameter
 */
function notationOf({ place, node }) {
  const style = node.style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return { style, explode: node.explode ?? style === 'form' };
}
