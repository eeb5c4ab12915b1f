import { everyKind } from './alternatives.mjs';
import { found } from './findings.mjs';
import { isWhole } from './limits.mjs';

/** @import { Kind } from './alternatives.mjs' */
/** @import { Direction, Finding } from './findings.mjs' */
/** @import { KindGroup } from './values.mjs' */

/** @typedef {Map<Kind, KindGroup>} KindGroups */

/**
 * JSON types that came or went. Requests may gain types. Responses may do neither: clients don't
 * know a new one, and a documented one that vanished may be what they wait for.
 *
 * @param {KindGroups} before
 * @param {KindGroups} after
 * @param {Direction} direction
 * @returns {Finding[]}
 */
export function compareKinds(before, after, direction) {
  const gone = [...before.keys()].filter((kind) => !after.has(kind));
  const fresh = [...after.keys()].filter((kind) => !before.has(kind));
  const wasAny = before.size === everyKind.length;
  const isAny = after.size === everyKind.length;

  if (direction === 'request') {
    if (gone.length === 0) return [];
    if (wasAny) return [found(`type narrowed from any to ${showTypes(after)}`)];
  } else {
    // A value of any type documents none of them.
    if (wasAny || gone.length + fresh.length === 0) return [];
    if (isAny) return [found(`type widened from ${showTypes(before)} to any`)];
  }
  if (gone.length > 0 && fresh.length > 0) {
    return [found(`type changed from ${showTypes(before)} to ${showTypes(after)}`)];
  }
  return [
    ...gone.map((kind) => found(`type "${typeName(before, kind)}" removed`)),
    ...fresh.map((kind) => found(`type "${typeName(after, kind)}" added`)),
  ];
}

/** @param {KindGroups} groups */
function showTypes(groups) {
  const names = [...groups.keys()].map((kind) => typeName(groups, kind));
  return names.length === 0 ? 'nothing' : names.join(' or ');
}

/**
 * @param {KindGroups} groups
 * @param {Kind} kind
 */
function typeName(groups, kind) {
  const { values = [], open = [] } = groups.get(kind) ?? {};
  const whole = kind === 'number' && values.every(Number.isInteger) && open.every(isWhole);
  return whole ? 'integer' : kind;
}
