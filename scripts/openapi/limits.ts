import { type Alternative, type CompareAlternatives, type Kind, typesOf } from './alternatives.ts';
import { found, heldAndWanted } from './comparison.ts';

/** An end of a range; `isOpen` when the value itself is outside. */
interface Limit {
  /** The value, negated for an upper end: the larger of two is the tighter. */
  readonly bound: number;
  readonly isOpen: boolean;
}

/** The keywords of a lower (`sign` 1) or upper (−1) end. */
interface LimitKeywords {
  readonly sign: 1 | -1;
  readonly keyword: string;
  readonly openKeyword?: string;
}

const countKeywords = (counted: string): LimitKeywords[] => [
  { sign: 1, keyword: `min${counted}` },
  { sign: -1, keyword: `max${counted}` },
];

const keywordsOfKind: Partial<Record<Kind, readonly LimitKeywords[]>> = {
  number: [
    { sign: 1, keyword: 'minimum', openKeyword: 'exclusiveMinimum' },
    { sign: -1, keyword: 'maximum', openKeyword: 'exclusiveMaximum' },
  ],
  string: countKeywords('Length'),
  array: countKeywords('Items'),
  object: countKeywords('Properties'),
};

/**
 * Ranges of numbers, of lengths and of item and property counts: requests must not lose room,
 * responses must not gain any.
 */
export const compareLimits: CompareAlternatives = ({ direction }, before, after) => {
  const areWhole = isWhole(before) && isWhole(after);
  return (keywordsOfKind[before.kind] ?? []).flatMap((keywords) => {
    const { sign, keyword } = keywords;
    const was = limitOf(before, keywords, areWhole);
    const is = limitOf(after, keywords, areWhole);
    const [held, wanted] = heldAndWanted(direction, was, is);
    if (!wanted || (held && !isTighter(wanted, held))) return [];
    if (!was) return [found(`${keyword} ${showLimit(sign, wanted)} added`)];
    if (!is) return [found(`${keyword} ${showLimit(sign, wanted)} removed`)];
    const verb = (direction === 'request') === (sign === 1) ? 'raised' : 'lowered';
    return [found(`${keyword} ${verb} from ${showLimit(sign, was)} to ${showLimit(sign, is)}`)];
  });
};

/** Whether a listed value lies inside the ranges of an alternative that lists none. */
export function isWithinLimits(alternative: Alternative, value: unknown): boolean {
  const measure = typeof value === 'string' ? [...value].length : value;
  if (typeof measure !== 'number') return true;
  return (keywordsOfKind[alternative.kind] ?? []).every((keywords) => {
    const limit = limitOf(alternative, keywords, false);
    return !limit || !isTighter(limit, { bound: keywords.sign * measure, isOpen: false });
  });
}

/** Whether a number must be an integer. */
export const isWhole = ({ kind, parts }: Alternative): boolean =>
  kind === 'number' &&
  parts.some(({ type }) => typesOf(type).includes('integer') && !typesOf(type).includes('number'));

function limitOf(
  { kind, parts }: Alternative,
  { sign, keyword, openKeyword = '' }: LimitKeywords,
  areWhole: boolean,
): Limit | undefined {
  const limits = parts.flatMap((part) =>
    [keyword, openKeyword].flatMap((name) => {
      if (typeof part[name] !== 'number') return [];
      const [bound, isOpen] = [sign * part[name], name === openKeyword];
      if (!areWhole) return [{ bound, isOpen }];
      // Between integers `> 0` is `>= 1`.
      return [{ bound: isOpen ? Math.floor(bound) + 1 : Math.ceil(bound), isOpen: false }];
    }),
  );
  const tightest = limits.find((limit) => !limits.some((other) => isTighter(other, limit)));
  // No count is below zero, so such a limit limits nothing.
  const isIdle = kind !== 'number' && sign === 1 && tightest?.bound === 0;
  return isIdle ? undefined : tightest;
}

const isTighter = (left: Limit, right: Limit): boolean =>
  left.bound > right.bound || (left.bound === right.bound && left.isOpen && !right.isOpen);

const showLimit = (sign: 1 | -1, { bound, isOpen }: Limit): string =>
  `${isOpen ? (sign === 1 ? 'above ' : 'below ') : ''}${sign * bound}`;
