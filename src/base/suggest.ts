import { BusbarError, type ErrorOptions } from './errors/busbar-error.ts';
import type { ErrorCode } from './errors/table.ts';

const editDistance = (from: string, to: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped)
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
};

/** The nearest name in any letter case, if at most a third of the letters differ. */
export const suggest = (word: string, candidates: readonly string[]): string | null => {
  const sought = word.toLowerCase();
  const nearest = candidates
    .map((candidate) => ({ candidate, distance: editDistance(sought, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  if (!nearest) return null;
  const tolerance = Math.floor(Math.max(word.length, nearest.candidate.length) / 3);
  return nearest.distance <= tolerance ? nearest.candidate : null;
};

/** Files can contain a million names of any length. */
const maxCandidates = 2000;
const maxWord = 64;

export const nearestName = (word: string, candidates: Iterable<string>): string | null => {
  if (word.length > maxWord) return null;
  const likely: string[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > word.length / 2 + 1) continue;
    if (likely.push(candidate) === maxCandidates) break;
  }
  return suggest(word, likely);
};

/** An error about an unknown name, which says the nearest one. */
export const unknownName = (
  code: ErrorCode,
  options: ErrorOptions,
  word: string,
  candidates: Iterable<string>,
): BusbarError => {
  const near = nearestName(word, candidates);
  const advice = near === null ? '' : `. Did you mean ${near}?`;
  return new BusbarError(code, {
    ...options,
    message: `${options.message}${advice}`,
    details: { ...options.details, nearest: near },
  });
};

/** Hint of an error about an unknown name. */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  const near = nearestName(word, candidates);
  return near === null ? undefined : `Did you mean ${near}?`;
};
