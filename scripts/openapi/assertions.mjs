import { found } from './findings.mjs';
import { includesJson, isObject, show } from './json.mjs';
import { isWhole } from './limits.mjs';

/** @import { Alternative, Kind } from './alternatives.mjs' */
/** @import { Direction, Finding } from './findings.mjs' */

const logic = ['not', 'if', 'then', 'else'];

/**
 * Keywords of which one cannot tell by looking which of two is the stricter: any other value is
 * a change.
 *
 * @type {Record<Kind, readonly string[]>}
 */
const assertionsOfKind = {
  string: ['pattern', 'format', 'contentEncoding', 'contentMediaType', ...logic],
  number: ['format', ...logic],
  array: ['contains', 'minContains', 'maxContains', 'unevaluatedItems', ...logic],
  object: ['dependentRequired', 'dependentSchemas', 'propertyNames', ...logic],
  boolean: logic,
  null: logic,
};

/**
 * Everything but ranges, listed values and content: what a value must also satisfy.
 *
 * @param {Alternative} before
 * @param {Alternative} after
 * @param {Direction} direction
 * @returns {Finding[]}
 */
export function compareAssertions(before, after, direction) {
  const assertions = assertionsOfKind[before.kind].map((keyword) => {
    const [was, is] = [valuesOf(before, keyword), valuesOf(after, keyword)];
    return describe(keyword, was, is, direction, includesJson);
  });
  return [
    ...assertions,
    compareStep(before, after, direction),
    compareWhole(before, after, direction),
    compareUnique(before, after, direction),
  ]
    .filter((change) => change !== undefined)
    .map((change) => found(change));
}

/**
 * Whether a listed value passes the assertions of an alternative that lists none. Only what can
 * be decided by looking is checked; the rest is taken as passed.
 *
 * @param {Alternative} alternative
 * @param {unknown} value
 */
export function passesAssertions(alternative, value) {
  if (typeof value === 'string') {
    return valuesOf(alternative, 'pattern').every((pattern) => matches(pattern, value));
  }
  if (typeof value !== 'number') return true;
  if (isWhole(alternative) && !Number.isInteger(value)) return false;
  return valuesOf(alternative, 'multipleOf').every((step) => isMultiple(value, step));
}

/**
 * @param {string} keyword
 * @param {unknown[]} was
 * @param {unknown[]} is
 * @param {Direction} direction
 * @param {(held: unknown[], wanted: unknown) => boolean} implies
 */
function describe(keyword, was, is, direction, implies) {
  // A request must satisfy nothing new; a response must go on satisfying what it did.
  const [held, wanted] = direction === 'request' ? [was, is] : [is, was];
  if (wanted.every((value) => implies(held, value))) return undefined;
  if (was.length === 0) return `${keyword} ${is.map(show).join(' and ')} added`;
  if (is.length === 0) return `${keyword} ${was.map(show).join(' and ')} removed`;
  return `${keyword} changed from ${was.map(show).join(' and ')} to ${is.map(show).join(' and ')}`;
}

/**
 * @param {Alternative} before
 * @param {Alternative} after
 * @param {Direction} direction
 */
function compareStep(before, after, direction) {
  if (before.kind !== 'number') return undefined;
  const [was, is] = [valuesOf(before, 'multipleOf'), valuesOf(after, 'multipleOf')];
  return describe('multipleOf', was, is, direction, (steps, wanted) =>
    steps.some((step) => isMultiple(step, wanted)),
  );
}

/**
 * @param {Alternative} before
 * @param {Alternative} after
 * @param {Direction} direction
 */
function compareWhole(before, after, direction) {
  if (isWhole(before) === isWhole(after)) return undefined;
  if (direction === 'request' && isWhole(after)) return 'type narrowed from number to integer';
  if (direction === 'response' && isWhole(before)) return 'type widened from integer to number';
  return undefined;
}

/**
 * @param {Alternative} before
 * @param {Alternative} after
 * @param {Direction} direction
 */
function compareUnique(before, after, direction) {
  if (before.kind !== 'array' || isUnique(before) === isUnique(after)) return undefined;
  if (direction === 'request' && isUnique(after)) return 'uniqueItems added';
  if (direction === 'response' && isUnique(before)) return 'uniqueItems removed';
  return undefined;
}

/** @param {Alternative} alternative */
const isUnique = ({ parts }) => parts.some(({ uniqueItems }) => uniqueItems === true);

/**
 * @param {Alternative} alternative
 * @param {string} keyword
 */
const valuesOf = ({ parts }, keyword) =>
  parts
    .filter((part) => Object.hasOwn(part, keyword))
    .map((part) => essence(part[keyword], namesOnly.has(keyword)));

/** Keywords that only explain. */
export const annotations = new Set([
  'title',
  'description',
  'examples',
  'example',
  '$comment',
  'deprecated',
]);
const namesOnly = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  '$defs',
]);

/**
 * A schema without its annotations and with name lists in one order, fit to be compared.
 *
 * @param {unknown} value
 * @param {boolean} named whether the keys are names chosen by the author instead of keywords
 * @returns {unknown}
 */
function essence(value, named) {
  if (Array.isArray(value)) {
    const items = value.map((item) => essence(item, false));
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => named || !annotations.has(key))
      .map(([key, item]) => [key, essence(item, !named && namesOnly.has(key))]),
  );
}

/**
 * @param {unknown} value
 * @param {unknown} step
 */
function isMultiple(value, step) {
  const quotient = Number(value) / Number(step);
  // Decimal steps such as 0.1 have no exact binary form.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/**
 * @param {unknown} pattern
 * @param {string} value
 */
function matches(pattern, value) {
  try {
    return new RegExp(String(pattern), 'u').test(value);
  } catch {
    // Not a pattern of this engine: nothing can be said against the value.
    return true;
  }
}
