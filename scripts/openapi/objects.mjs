import { found, inside } from './findings.mjs';
import { listOf, mapOf } from './json.mjs';

/** @import { Alternative } from './alternatives.mjs' */
/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Comparison } from './schema.mjs' */

/**
 * What the parts of an object schema say together. Each list holds schemas that all apply.
 *
 * @typedef {object} ObjectShape
 * @property {Map<string, unknown[]>} properties
 * @property {Map<string, unknown[]>} patterns
 * @property {Set<unknown>} required
 * @property {unknown[]} others schemas of properties that are not named; empty when any will do
 * @property {boolean} closed
 */

/**
 * @param {Comparison} comparison
 * @param {Alternative} before
 * @param {Alternative} after
 * @returns {Finding[]}
 */
export function compareObjects(comparison, before, after) {
  const [was, is] = [objectShape(before.parts), objectShape(after.parts)];
  return [
    ...compareRequired(comparison, was, is),
    ...[...was.properties].flatMap(([name, schemas]) =>
      inside(name, compareProperty(comparison, name, schemas, is)),
    ),
    ...compareCapturedProperties(comparison, was, is),
    ...[...was.patterns].flatMap(([pattern, schemas]) =>
      inside(`/${pattern}/`, comparePattern(comparison, pattern, schemas, is)),
    ),
    ...compareOthers(comparison, was, is),
  ];
}

/**
 * @param {JsonObject[]} parts
 * @returns {ObjectShape}
 */
function objectShape(parts) {
  const rules = parts.flatMap((part) => [part.additionalProperties, part.unevaluatedProperties]);
  return {
    properties: gather(parts, 'properties'),
    patterns: gather(parts, 'patternProperties'),
    required: new Set(parts.flatMap((part) => listOf(part.required))),
    others: rules.filter((rule) => typeof rule === 'object'),
    closed: rules.includes(false),
  };
}

/**
 * The schemas that a keyword of several objects gives to each name.
 *
 * @param {JsonObject[]} parts
 * @param {string} keyword
 */
export function gather(parts, keyword) {
  /** @type {Map<string, unknown[]>} */
  const gathered = new Map();
  for (const part of parts) {
    for (const [name, schema] of mapOf(part[keyword])) {
      gathered.set(name, [...(gathered.get(name) ?? []), schema]);
    }
  }
  return gathered;
}

/**
 * @param {Comparison} comparison
 * @param {ObjectShape} was
 * @param {ObjectShape} is
 * @returns {Finding[]}
 */
function compareRequired({ direction }, was, is) {
  if (direction === 'request') {
    return [...is.required]
      .filter((name) => !was.required.has(name))
      .map((name) =>
        found(
          was.properties.has(String(name)) ? 'property became required' : 'required property added',
          String(name),
        ),
      );
  }
  return (
    [...was.required]
      .filter((name) => !is.required.has(name))
      // A property that is gone is reported as such.
      .filter((name) => is.properties.has(String(name)) || !was.properties.has(String(name)))
      .map((name) => found('property became optional', String(name)))
  );
}

/**
 * @param {Comparison} comparison
 * @param {string} name
 * @param {unknown[]} schemas
 * @param {ObjectShape} is
 * @returns {Finding[]}
 */
function compareProperty(comparison, name, schemas, is) {
  const same = is.properties.get(name);
  if (same) return comparison.compare(comparison, schemas, same);
  if (comparison.direction === 'response') return [found('property removed')];
  // Whatever still takes the name in now decides what it may hold.
  const matching = [...is.patterns].filter(([pattern]) => isMatch(pattern, name));
  if (matching.length > 0) {
    return comparison.compare(
      comparison,
      schemas,
      matching.flatMap(([, rules]) => rules),
    );
  }
  return is.closed
    ? [found('property removed')]
    : comparison.compare(comparison, schemas, is.others);
}

/**
 * Entries of a map that became properties of their own.
 *
 * @param {Comparison} comparison
 * @param {ObjectShape} was
 * @param {ObjectShape} is
 * @returns {Finding[]}
 */
function compareCapturedProperties(comparison, was, is) {
  if (was.closed || was.others.length === 0) return [];
  return [...is.properties]
    .filter(([name]) => !was.properties.has(name))
    .flatMap(([name, schemas]) =>
      inside(name, comparison.compare(comparison, was.others, schemas)),
    );
}

/**
 * @param {Comparison} comparison
 * @param {string} pattern
 * @param {unknown[]} schemas
 * @param {ObjectShape} is
 * @returns {Finding[]}
 */
function comparePattern(comparison, pattern, schemas, is) {
  const same = is.patterns.get(pattern);
  if (same) return comparison.compare(comparison, schemas, same);
  if (is.closed || comparison.direction === 'response') return [found('pattern removed')];
  return comparison.compare(comparison, schemas, is.others);
}

/**
 * @param {Comparison} comparison
 * @param {ObjectShape} was
 * @param {ObjectShape} is
 * @returns {Finding[]}
 */
function compareOthers(comparison, was, is) {
  if (was.closed) return [];
  if (is.closed) {
    // A response that documented no other properties loses none.
    const harmless = comparison.direction === 'response' && was.others.length === 0;
    return harmless ? [] : [found('additional properties no longer allowed')];
  }
  if (was.others.length + is.others.length === 0) return [];
  return inside('*', comparison.compare(comparison, was.others, is.others));
}

/**
 * @param {string} pattern
 * @param {string} name
 */
function isMatch(pattern, name) {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}
