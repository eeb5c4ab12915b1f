import { passesAssertions } from './assertions.mjs';
import { found } from './findings.mjs';
import { includesJson, show, showList } from './json.mjs';
import { isWithinLimits } from './limits.mjs';

/** @import { Alternative, Kind } from './alternatives.mjs' */
/** @import { Direction, Finding } from './findings.mjs' */

/**
 * All alternatives of one JSON type: the values that are listed one by one, and the open ones.
 *
 * @typedef {{ values: unknown[], open: Alternative[] }} KindGroup
 */

/**
 * @param {Alternative[]} alternatives
 * @returns {Map<Kind, KindGroup>}
 */
export function groupByKind(alternatives) {
  /** @type {Map<Kind, KindGroup>} */
  const groups = new Map();
  for (const alternative of alternatives) {
    const group = groups.get(alternative.kind) ?? { values: [], open: [] };
    groups.set(alternative.kind, group);
    if (!alternative.values) group.open.push(alternative);
    for (const value of alternative.values ?? []) {
      if (!includesJson(group.values, value)) group.values.push(value);
    }
  }
  const booleans = groups.get('boolean');
  if (booleans?.values.length === 2) {
    groups.set('boolean', {
      values: [],
      open: [{ kind: 'boolean', parts: [], values: undefined, label: '' }],
    });
  }
  return groups;
}

/**
 * `const` and `enum`, however they were written. New values in a response are no break: clients
 * must tolerate them.
 *
 * @param {KindGroup} before
 * @param {KindGroup} after
 * @param {Direction} direction
 * @returns {Finding[]}
 */
export function compareValues(before, after, direction) {
  const isListed = after.open.length === 0;
  const findings = [];
  if (direction === 'request' && isListed && before.open.length > 0) {
    findings.push(found(`enum added, only ${showList(after.values)} accepted`));
  }
  const gone = before.values.filter((value) => {
    if (includesJson(after.values, value)) return false;
    // A response documents only what it lists, but any boolean lists both values.
    const isOpen = direction === 'request' || typeof value === 'boolean';
    return !isOpen || !after.open.some((open) => admits(open, value));
  });
  if (gone.length === 0) return findings;
  if (after.values.length === 0 && direction === 'response') {
    return [found(`enum removed, ${showList(gone)} no longer documented`)];
  }
  if (isListed && before.values.length === 1 && after.values.length === 1) {
    return [
      ...findings,
      found(`const changed from ${showList(gone)} to ${showList(after.values)}`),
    ];
  }
  return [...findings, ...gone.map((value) => found(`enum value ${show(value)} removed`))];
}

/**
 * @param {Alternative} alternative
 * @param {unknown} value
 */
const admits = (alternative, value) =>
  isWithinLimits(alternative, value) && passesAssertions(alternative, value);
