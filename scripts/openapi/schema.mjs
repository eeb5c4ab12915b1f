import { alternativesOf, flatten } from './alternatives.mjs';
import { compareArrays } from './arrays.mjs';
import { annotations, compareAssertions } from './assertions.mjs';
import { found } from './findings.mjs';
import { isObject, sameJson, show } from './json.mjs';
import { compareKinds } from './kinds.mjs';
import { compareLimits } from './limits.mjs';
import { compareObjects } from './objects.mjs';
import { lookUp } from './reference.mjs';
import { compareValues, groupByKind } from './values.mjs';
import { compareVariants } from './variants.mjs';

/** @import { Alternative } from './alternatives.mjs' */
/** @import { Direction, Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */

/** @typedef {{ before: JsonObject, after: JsonObject }} Documents */

/**
 * @typedef {object} Comparison
 * @property {JsonObject} before
 * @property {JsonObject} after
 * @property {Direction} direction
 * @property {Map<string, Finding[]>} memo what is known of each pair of schemas
 * @property {{ met: number }} cycles how often a pair was met again below itself
 * @property {(parts: unknown[]) => string} identify
 * @property {(comparison: Comparison, before: unknown[], after: unknown[]) => Finding[]} compare
 */

/**
 * Compares two schemas, each in its own document. Undefined stands for "any value".
 *
 * @param {Documents} documents
 * @param {Direction} direction
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Finding[]}
 */
export function compareSchemas(
  { before: documentBefore, after: documentAfter },
  direction,
  before,
  after,
) {
  /** @type {Comparison} */
  const comparison = {
    before: documentBefore,
    after: documentAfter,
    direction,
    memo: new Map(),
    cycles: { met: 0 },
    identify: createIdentities(),
    compare: compareOnce,
  };
  return compareOnce(comparison, listed(before), listed(after));
}

/** @param {unknown} schema */
const listed = (schema) => (schema === undefined ? [] : [schema]);

/** @type {Finding[]} */
const underWay = [];

/**
 * @param {Comparison} comparison
 * @param {unknown[]} before
 * @param {unknown[]} after
 * @returns {Finding[]}
 */
function compareOnce(comparison, before, after) {
  const { memo, cycles, identify } = comparison;
  const was = tellingParts(comparison.before, before);
  const is = tellingParts(comparison.after, after);
  if (was.length + is.length === 0) return [];
  const pair = `${identify(was)}:${identify(is)}`;
  const known = memo.get(pair);
  if (known === underWay) cycles.met += 1;
  if (known) return known;
  memo.set(pair, underWay);
  const { met } = cycles;
  const findings = compareBoth(comparison, before, after);
  // Schemas that use each other can be reached in countless ways: one is enough for a report.
  memo.set(pair, cycles.met === met ? findings : []);
  return findings;
}

/**
 * What identifies a schema: everything it includes but the wrappers that only include.
 *
 * @param {JsonObject} document
 * @param {unknown[]} schemas
 */
const tellingParts = (document, schemas) =>
  [...flatten(document, schemas)].filter(
    (part) => !isObject(part) || isDangling(document, part) || Object.keys(part).some(isTelling),
  );

/** @param {string} keyword */
const isTelling = (keyword) =>
  keyword !== '$ref' && keyword !== 'allOf' && !annotations.has(keyword);

/**
 * @param {Comparison} comparison
 * @param {unknown[]} before
 * @param {unknown[]} after
 * @returns {Finding[]}
 */
function compareBoth(comparison, before, after) {
  const { direction } = comparison;
  const was = groupByKind(alternativesOf(comparison.before, before));
  const is = groupByKind(alternativesOf(comparison.after, after));
  const findings = [...compareUse(comparison, before, after), ...compareKinds(was, is, direction)];
  for (const [kind, group] of was) {
    const other = is.get(kind);
    if (!other) continue;
    findings.push(
      ...compareValues(group, other, direction),
      ...compareVariants(comparison, group.open, other.open, compareAlternatives),
    );
  }
  return findings;
}

/**
 * @param {Comparison} comparison
 * @param {Alternative} before
 * @param {Alternative} after
 * @returns {Finding[]}
 */
function compareAlternatives(comparison, before, after) {
  return [
    ...compareLimits(before, after, comparison.direction),
    ...compareAssertions(before, after, comparison.direction),
    ...(before.kind === 'object' ? compareObjects(comparison, before, after) : []),
    ...(before.kind === 'array' ? compareArrays(comparison, before, after) : []),
  ];
}

/**
 * What is said of the value as a whole, whatever its type.
 *
 * @param {Comparison} comparison
 * @param {unknown[]} before
 * @param {unknown[]} after
 * @returns {Finding[]}
 */
function compareUse(comparison, before, after) {
  const was = [...flatten(comparison.before, before)].filter(isObject);
  const is = [...flatten(comparison.after, after)].filter(isObject);
  const lost = was.filter((part) => isDangling(comparison.before, part)).map(({ $ref }) => $ref);
  const findings = is
    .filter((part) => isDangling(comparison.after, part) && !lost.includes(part.$ref))
    .map(({ $ref }) => found(`reference ${show($ref)} leads nowhere`));

  const flag = comparison.direction === 'request' ? 'readOnly' : 'writeOnly';
  const isFlagged = (/** @type {JsonObject} */ part) => part[flag] === true;
  if (is.some(isFlagged) && !was.some(isFlagged)) findings.push(found(`${flag} added`));
  if (comparison.direction === 'response') return findings;

  const hasDefault = (/** @type {JsonObject} */ part) => Object.hasOwn(part, 'default');
  const [old, now] = [was.find(hasDefault), is.find(hasDefault)];
  if (old && !now) findings.push(found(`default ${show(old.default)} removed`));
  if (old && now && !sameJson(old.default, now.default)) {
    findings.push(found(`default changed from ${show(old.default)} to ${show(now.default)}`));
  }
  return findings;
}

/**
 * @param {JsonObject} document
 * @param {JsonObject} part
 */
const isDangling = (document, { $ref }) =>
  typeof $ref === 'string' && lookUp(document, $ref) === undefined;

/** Names lists of schemas by identity: texts would not end where schemas are recursive. */
function createIdentities() {
  /** @type {Map<unknown, number>} */
  const numbers = new Map();
  return (/** @type {unknown[]} */ parts) =>
    parts
      .map((part) => {
        const number = numbers.get(part) ?? numbers.size;
        numbers.set(part, number);
        return number;
      })
      .sort((left, right) => left - right)
      .join('+');
}
