import { alternativesOf } from './alternatives.mjs';
import { found, under } from './findings.mjs';
import { includesJson, show } from './json.mjs';
import { gather } from './objects.mjs';

/** @import { Alternative } from './alternatives.mjs' */
/** @import { Finding } from './findings.mjs' */
/** @import { JsonObject } from './json.mjs' */
/** @import { Comparison } from './schema.mjs' */

/**
 * A member of a union with what tells it from the others.
 *
 * @typedef {object} Variant
 * @property {Alternative} alternative
 * @property {string} label how findings call it
 * @property {string[]} names of its properties
 * @property {Map<string, unknown[]>} tags properties with listed values, such as a `kind`
 */

/** @typedef {(comparison: Comparison, before: Alternative, after: Alternative) => Finding[]} Compare */

/**
 * Pairs the members of two unions and compares the pairs. A member that another one takes in
 * without a break is paired with it; the rest go to the likeliest member left.
 *
 * @param {Comparison} comparison
 * @param {Alternative[]} before
 * @param {Alternative[]} after
 * @param {Compare} compare
 * @returns {Finding[]}
 */
export function compareVariants(comparison, before, after, compare) {
  const [first, second] = [before[0], after[0]];
  if (!first || !second) return [];
  if (before.length === 1 && after.length === 1) return compare(comparison, first, second);

  const was = describe(comparison.before, before);
  const is = describe(comparison.after, after);
  /** @type {Set<Variant>} */
  const taken = new Set();

  const changed = was.filter((variant, at) => {
    const same = fromPosition(is, at)
      .filter((other) => isLikely(variant, other, was, is) && knows(other, variant))
      .find((other) => fits(comparison, variant, other, compare));
    if (same) taken.add(same);
    return !same;
  });

  const findings = changed.flatMap((variant) => {
    const left = is.filter((other) => !taken.has(other) && isLikely(variant, other, was, is));
    const best = closest(comparison, variant, left, compare);
    if (!best) return [found('variant removed', `variant ${variant.label}`)];
    taken.add(best.other);
    adopt(comparison, best.trial);
    return under(`variant ${variant.label}`, best.findings);
  });
  if (comparison.direction === 'request') return findings;

  const added = is.filter(
    (other) =>
      !taken.has(other) && !was.some((variant) => fits(comparison, variant, other, compare)),
  );
  return [...findings, ...added.map(({ label }) => found('variant added', `variant ${label}`))];
}

/**
 * @param {JsonObject} document
 * @param {Alternative[]} alternatives
 * @returns {Variant[]}
 */
function describe(document, alternatives) {
  const variants = alternatives.map((alternative) => {
    const properties = alternative.kind === 'object' ? gather(alternative.parts, 'properties') : [];
    const tags = [...properties].flatMap(([name, schemas]) => tagOf(document, name, schemas));
    return { alternative, names: [...properties].map(([name]) => name), tags: new Map(tags) };
  });
  return variants.map((variant, at) => {
    const siblings = variants.filter((other) => other !== variant);
    const telling = [...variant.tags].find(
      ([name, [value, ...more]]) =>
        more.length === 0 &&
        !siblings.some(({ tags }) => includesJson(tags.get(name) ?? [], value)),
    );
    const label = telling ? `${telling[0]} ${show(telling[1][0])}` : `#${at + 1}`;
    return { ...variant, label: variant.alternative.label || label };
  });
}

/**
 * @param {JsonObject} document
 * @param {string} name
 * @param {unknown[]} schemas
 * @returns {Array<[string, unknown[]]>}
 */
function tagOf(document, name, schemas) {
  const shapes = alternativesOf(document, schemas);
  const isTag = shapes.length > 0 && shapes.every((shape) => shape.values);
  return isTag ? [[name, shapes.flatMap((shape) => shape.values ?? [])]] : [];
}

/**
 * The member at the same position first: an unchanged union is then settled without searching.
 *
 * @template T
 * @param {T[]} list
 * @param {number} at
 */
const fromPosition = (list, at) => [
  ...list.slice(at, at + 1),
  ...list.slice(0, at),
  ...list.slice(at + 1),
];

/**
 * Whether one may have become the other. Names decide; tags must not contradict.
 *
 * @param {Variant} variant
 * @param {Variant} other
 * @param {Variant[]} was
 * @param {Variant[]} is
 */
function isLikely(variant, other, was, is) {
  if (isNamesake(variant, other)) return true;
  if (is.some((each) => isNamesake(variant, each))) return false;
  if (was.some((each) => isNamesake(each, other))) return false;
  return [...variant.tags].every(([name, values]) => {
    const others = other.tags.get(name);
    return !others || values.some((value) => includesJson(others, value));
  });
}

/**
 * An open object takes in properties that it does not know. That is no proof of being meant,
 * unless it leaves all of them open.
 *
 * @param {Variant} other
 * @param {Variant} variant
 */
const knows = ({ names }, variant) =>
  names.length === 0 || variant.names.every((name) => names.includes(name));

/**
 * @param {Variant} variant
 * @param {Variant} other
 */
const isNamesake = ({ alternative: { label } }, other) =>
  label !== '' && label === other.alternative.label;

/**
 * @param {Comparison} comparison
 * @param {Variant} variant
 * @param {Variant} other
 * @param {Compare} compare
 */
function fits(comparison, variant, other, compare) {
  const { trial, findings } = attempt(comparison, variant, other, compare);
  if (findings.length > 0) return false;
  adopt(comparison, trial);
  return true;
}

/**
 * @param {Comparison} comparison
 * @param {Variant} variant
 * @param {Variant[]} others
 * @param {Compare} compare
 */
function closest(comparison, variant, others, compare) {
  return others
    .map((other) => attempt(comparison, variant, other, compare))
    .reduce(
      (best, next) => (best && best.findings.length <= next.findings.length ? best : next),
      /** @type {ReturnType<typeof attempt> | undefined} */ (undefined),
    );
}

/**
 * Results found on the way may lean on this very pair, so they are kept apart until it is chosen.
 *
 * @param {Comparison} comparison
 * @param {Variant} variant
 * @param {Variant} other
 * @param {Compare} compare
 */
function attempt(comparison, variant, other, compare) {
  const trial = { ...comparison, memo: new Map(comparison.memo) };
  return { other, trial, findings: compare(trial, variant.alternative, other.alternative) };
}

/**
 * @param {Comparison} comparison
 * @param {Comparison} trial
 */
function adopt(comparison, trial) {
  for (const [pair, findings] of trial.memo) comparison.memo.set(pair, findings);
}
