import { type Alternative, type Kind, typesOf } from './alternatives.ts';
import { type Direction, type Finding, found, heldAndWanted } from './comparison.ts';

/** An end of a range; `isOpen` when the value itself is outside. */
interface Limit {
  readonly value: number;
  readonly isOpen: boolean;
}

interface LimitKeywords {
  readonly side: 'lower' | 'upper';
  readonly keyword: string;
  readonly openKeyword?: string;
}

const countKeywords = (counted: string): LimitKeywords[] => [
  { side: 'lower', keyword: `min${counted}` },
  { side: 'upper', keyword: `max${counted}` },
];

const keywordsOfKind: Partial<Record<Kind, readonly LimitKeywords[]>> = {
  number: [
    { side: 'lower', keyword: 'minimum', openKeyword: 'exclusiveMinimum' },
    { side: 'upper', keyword: 'maximum', openKeyword: 'exclusiveMaximum' },
  ],
  string: countKeywords('Length'),
  array: countKeywords('Items'),
  object: countKeywords('Properties'),
};

/**
 * Ranges of numbers, of lengths and of item and property counts: requests must not lose room,
 * responses must not gain any.
 */
export function compareLimits(
  before: Alternative,
  after: Alternative,
  direction: Direction,
): Finding[] {
  const areWhole = isWhole(before) && isWhole(after);
  return (keywordsOfKind[before.kind] ?? []).flatMap((keywords) => {
    const { side, keyword } = keywords;
    const was = limitOf(before, keywords, areWhole);
    const is = limitOf(after, keywords, areWhole);
    const [held, wanted] = heldAndWanted(direction, was, is);
    if (!wanted || (held && !isTighter(side, wanted, held))) return [];
    if (!was) return [found(`${keyword} ${showLimit(side, is)} added`)];
    if (!is) return [found(`${keyword} ${showLimit(side, was)} removed`)];
    const verb = (direction === 'request') === (side === 'lower') ? 'raised' : 'lowered';
    return [found(`${keyword} ${verb} from ${showLimit(side, was)} to ${showLimit(side, is)}`)];
  });
}

/** Whether a listed value lies inside the ranges of an alternative that lists none. */
export function isWithinLimits(alternative: Alternative, value: unknown): boolean {
  const measure = typeof value === 'string' ? [...value].length : value;
  if (typeof measure !== 'number') return true;
  return (keywordsOfKind[alternative.kind] ?? []).every((keywords) => {
    const limit = limitOf(alternative, keywords, false);
    return !limit || !isTighter(keywords.side, limit, { value: measure, isOpen: false });
  });
}

/** Whether a number must be an integer. */
export const isWhole = ({ kind, parts }: Alternative): boolean =>
  kind === 'number' &&
  parts.some(({ type }) => typesOf(type).includes('integer') && !typesOf(type).includes('number'));

function limitOf(
  { kind, parts }: Alternative,
  { side, keyword, openKeyword = '' }: LimitKeywords,
  isWholeLimit: boolean,
): Limit | undefined {
  const limits = parts.flatMap((part) =>
    [keyword, openKeyword].flatMap((name) => {
      const value = part[name];
      if (typeof value !== 'number') return [];
      const limit = { value, isOpen: name === openKeyword };
      return [isWholeLimit ? wholeLimit(side, limit) : limit];
    }),
  );
  const tightest = limits.find((limit) => !limits.some((other) => isTighter(side, other, limit)));
  // No count is below zero, so such a limit limits nothing.
  const isIdle = kind !== 'number' && side === 'lower' && tightest?.value === 0;
  return isIdle ? undefined : tightest;
}

/** Between integers `> 0` is `>= 1`. */
function wholeLimit(side: LimitKeywords['side'], { value, isOpen }: Limit): Limit {
  if (side === 'upper')
    return { value: isOpen ? Math.ceil(value) - 1 : Math.floor(value), isOpen: false };
  return { value: isOpen ? Math.floor(value) + 1 : Math.ceil(value), isOpen: false };
}

function isTighter(side: LimitKeywords['side'], left: Limit, right: Limit): boolean {
  if (left.value === right.value) return left.isOpen && !right.isOpen;
  return side === 'lower' ? left.value > right.value : left.value < right.value;
}

function showLimit(side: LimitKeywords['side'], limit: Limit | undefined): string {
  if (!limit?.isOpen) return String(limit?.value);
  return `${side === 'lower' ? 'above' : 'below'} ${limit.value}`;
}
