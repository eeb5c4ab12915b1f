import { type Json, type Place, type Places, placesOf } from './facts.ts';

export interface BreakingChange {
  readonly path: string;
  readonly change: string;
}

/**
 * Differences between two OpenAPI 3.1 documents that can break a client of the first. A
 * difference that no rule covers is reported too.
 */
export function findBreakingChanges(before: Json, after: Json): BreakingChange[] {
  const [was, is] = [placesOf(before), placesOf(after)];
  return [...was].flatMap(([path, place]) => {
    const now = is.get(path);
    if (now) return compareFacts(place, now).map((change) => ({ path, change }));
    return !isWithinRemoved(path, was, is) ? [{ path, change: 'removed' }] : [];
  });
}

/** What a removed place contained is not reported again. */
const isWithinRemoved = (path: string, was: Places, is: Places): boolean =>
  [...path.matchAll(/ › |\[\]/g)].some(({ index }) => {
    const outer = path.slice(0, index);
    return was.has(outer) && !is.has(outer);
  });

const compareFacts = (was: Place, is: Place): string[] => {
  const gone = [...was.facts].filter(
    ([fact, { ifGone }]) => ifGone && !is.facts.has(fact) && !isStillAccepted(fact, was, is),
  );
  const added = [...is.facts].filter(([fact, { ifNew }]) => ifNew && !was.facts.has(fact));
  const moved = [...was.limits].flatMap(([keyword, { value, breaksToward }]) => {
    const now = is.limits.get(keyword)?.value ?? value;
    return (now - value) * breaksToward > 0 ? [`${keyword} changed from ${value} to ${now}`] : [];
  });
  return [
    ...gone.map(([fact]) => `${fact} removed`),
    ...added.map(([fact]) => `${fact} added`),
    ...moved,
  ];
};

/** Listed values are accepted when none are listed, and credentials when none are required. */
const isStillAccepted = (fact: string, was: Place, is: Place): boolean =>
  fact.startsWith('value ')
    ? was.facts.has('listed values only') && !is.facts.has('listed values only')
    : fact.startsWith('security ') && is.facts.has('security {}');
