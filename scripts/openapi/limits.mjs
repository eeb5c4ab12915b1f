import { found } from './findings.mjs';

/** @import { Alternative, Kind } from './alternatives.mjs' */
/** @import { Direction, Finding } from './findings.mjs' */

/**
 * An end of a range; `open` when the value itself is outside.
 *
 * @typedef {{ value: number, open: boolean }} Limit
 */

/** @typedef {'lower' | 'upper'} Side */

/**
 * @typedef {object} LimitKeywords
 * @property {Side} side
 * @property {string} keyword
 * @property {string} [openKeyword]
 */

/** @type {Partial<Record<Kind, readonly LimitKeywords[]>>} */
const keywordsOfKind = {
  number: [
    { side: 'lower', keyword: 'minimum', openKeyword: 'exclusiveMinimum' },
    { side: 'upper', keyword: 'maximum', openKeyword: 'exclusiveMaximum' },
  ],
  string: countKeywords('Length'),
  array: countKeywords('Items'),
  object: countKeywords('Properties'),
};

/**
 * @param {string} counted
 * @returns {LimitKeywords[]}
 */
function countKeywords(counted) {
  return [
    { side: 'lower', keyword: `min${counted}` },
    { side: 'upper', keyword: `max${counted}` },
  ];
}

/**
 * Ranges of numbers, of lengths and of item and property counts: requests must not lose room,
 * responses must not gain any.
 *
 * @param {Alternative} before
 * @param {Alternative} after
 * @param {Direction} direction
 * @returns {Finding[]}
 */
export function compareLimits(before, after, direction) {
  const whole = isWhole(before) && isWhole(after);
  return (keywordsOfKind[before.kind] ?? []).flatMap((keywords) => {
    const was = limitOf(before, keywords, whole);
    const is = limitOf(after, keywords, whole);
    const change =
      direction === 'request'
        ? describeTightening(keywords, was, is)
        : describeLoosening(keywords, was, is);
    return change === undefined ? [] : [found(change)];
  });
}

/**
 * Whether a listed value lies inside the ranges of an alternative that lists none.
 *
 * @param {Alternative} alternative
 * @param {unknown} value
 */
export function isWithinLimits(alternative, value) {
  const measure = typeof value === 'string' ? [...value].length : value;
  if (typeof measure !== 'number') return true;
  return (keywordsOfKind[alternative.kind] ?? []).every((keywords) => {
    const limit = limitOf(alternative, keywords, false);
    return !limit || !isTighter(keywords.side, limit, { value: measure, open: false });
  });
}

/**
 * Whether a number must be an integer.
 *
 * @param {Alternative} alternative
 */
export const isWhole = ({ kind, parts }) =>
  kind === 'number' &&
  parts.some(({ type }) => {
    const types = Array.isArray(type) ? type : [type];
    return types.includes('integer') && !types.includes('number');
  });

/**
 * @param {Alternative} alternative
 * @param {LimitKeywords} keywords
 * @param {boolean} whole
 * @returns {Limit | undefined}
 */
function limitOf({ kind, parts }, { side, keyword, openKeyword = '' }, whole) {
  /** @type {Limit | undefined} */
  let tightest;
  for (const part of parts) {
    for (const name of [keyword, openKeyword]) {
      const value = part[name];
      if (typeof value !== 'number') continue;
      const open = name === openKeyword;
      const limit = whole ? wholeLimit(side, value, open) : { value, open };
      if (!tightest || isTighter(side, limit, tightest)) tightest = limit;
    }
  }
  // No count is below zero, so such a limit limits nothing.
  const idle = kind !== 'number' && side === 'lower' && tightest?.value === 0;
  return idle ? undefined : tightest;
}

/**
 * Between integers `> 0` is `>= 1`.
 *
 * @param {Side} side
 * @param {number} value
 * @param {boolean} open
 * @returns {Limit}
 */
function wholeLimit(side, value, open) {
  if (side === 'lower')
    return { value: open ? Math.floor(value) + 1 : Math.ceil(value), open: false };
  return { value: open ? Math.ceil(value) - 1 : Math.floor(value), open: false };
}

/**
 * @param {Side} side
 * @param {Limit} left
 * @param {Limit} right
 */
function isTighter(side, left, right) {
  if (left.value === right.value) return left.open && !right.open;
  return side === 'lower' ? left.value > right.value : left.value < right.value;
}

/**
 * @param {LimitKeywords} keywords
 * @param {Limit | undefined} was
 * @param {Limit | undefined} is
 */
function describeTightening({ side, keyword }, was, is) {
  if (!is) return undefined;
  if (!was) return `${keyword} ${showLimit(side, is)} added`;
  if (!isTighter(side, is, was)) return undefined;
  const verb = side === 'lower' ? 'raised' : 'lowered';
  return `${keyword} ${verb} from ${showLimit(side, was)} to ${showLimit(side, is)}`;
}

/**
 * @param {LimitKeywords} keywords
 * @param {Limit | undefined} was
 * @param {Limit | undefined} is
 */
function describeLoosening({ side, keyword }, was, is) {
  if (!was) return undefined;
  if (!is) return `${keyword} ${showLimit(side, was)} removed`;
  if (!isTighter(side, was, is)) return undefined;
  const verb = side === 'lower' ? 'lowered' : 'raised';
  return `${keyword} ${verb} from ${showLimit(side, was)} to ${showLimit(side, is)}`;
}

/**
 * @param {Side} side
 * @param {Limit} limit
 */
function showLimit(side, { value, open }) {
  if (!open) return String(value);
  return side === 'lower' ? `above ${value}` : `below ${value}`;
}
