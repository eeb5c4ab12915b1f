import { compareErrorCodes } from './error-codes.mjs';
import { found, under } from './findings.mjs';
import { isObject, mapOf, objectOf } from './json.mjs';
import { compareOperations } from './operation.mjs';
import { resolve } from './reference.mjs';
import { compareSecuritySchemes } from './security.mjs';

/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Documents } from './schema.mjs' */

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Every difference between two OpenAPI 3.1 documents that can break a client which worked with
 * the first. Neither document is changed. Callbacks, webhooks, links and servers are not looked at.
 *
 * @param {JsonObject} before
 * @param {JsonObject} after
 * @returns {Array<{ path: string, change: string }>}
 */
export function findBreakingChanges(before, after) {
  const documents = { before, after };
  const findings = [
    ...comparePaths(documents),
    ...under('document', compareErrorCodes(before, after)),
    ...compareComponents(documents),
    ...compareSecuritySchemes(documents),
  ];
  const changes = new Map(
    findings.map(({ trail, change }) => {
      const path = trail.join(' › ');
      return [`${path}\n${change}`, { path, change }];
    }),
  );
  return [...changes.values()];
}

/**
 * @param {Documents} documents
 * @returns {Finding[]}
 */
function comparePaths(documents) {
  const is = mapOf(documents.after.paths);
  return [...mapOf(documents.before.paths)].flatMap(([path, node]) => {
    const was = resolve(documents.before, node);
    const now = resolve(documents.after, is.get(path));
    if (!was) return [];
    return now ? comparePathItems(documents, path, was, now) : [found('path removed', path)];
  });
}

/**
 * @param {Documents} documents
 * @param {string} path
 * @param {JsonObject} before
 * @param {JsonObject} after
 * @returns {Finding[]}
 */
function comparePathItems(documents, path, before, after) {
  return methods.flatMap((method) => {
    const [was, is] = [before[method], after[method]];
    const step = `${method.toUpperCase()} ${path}`;
    if (!isObject(was)) return [];
    if (!isObject(is)) return [found('operation removed', step)];
    return under(
      step,
      compareOperations(
        documents,
        { pathItem: before, operation: was },
        { pathItem: after, operation: is },
      ),
    );
  });
}

/**
 * Clients generate types from components, so a name that disappears breaks them by itself. Not so
 * for shared responses: they are compared where operations use them, and their names are ours.
 *
 * @param {Documents} documents
 * @returns {Finding[]}
 */
function compareComponents(documents) {
  const [before, after] = [
    objectOf(documents.before.components),
    objectOf(documents.after.components),
  ];
  const is = mapOf(after);
  const sections = [...mapOf(before)].filter(
    ([section]) => section !== 'responses' && !section.startsWith('x-'),
  );
  const removed = sections.flatMap(([section, components]) =>
    [...mapOf(components).keys()]
      .filter((name) => !mapOf(is.get(section)).has(name))
      .map((name) => found('component removed', section, name)),
  );
  return under('components', [...removed, ...compareErrorCodes(before, after)]);
}
