import { isDeepStrictEqual } from 'node:util';
import { isAnnotation, type JsonObject, showAll, valuesOf } from './json.ts';

export interface Finding {
  readonly trail: readonly string[];
  readonly change: string;
}

/** Clients write requests and read responses. */
export type Direction = 'request' | 'response';

type Nodes = readonly JsonObject[];

export type CompareNodes = (before: JsonObject, after: JsonObject) => Finding[];

/** Applies a function to both sides. */
export const both = <T, R>(was: T, is: T, of: (side: T) => R): [was: R, is: R] => [of(was), of(is)];

export const found = (change: string, ...trail: string[]): Finding => ({ trail, change });

export const foundIf = (isFound: boolean, change: string, ...trail: string[]): Finding[] =>
  isFound ? [found(change, ...trail)] : [];

export const under = (step: string, findings: readonly Finding[]): Finding[] =>
  findings.map(({ trail, change }) => found(change, step, ...trail));

/** A finding that something was added, removed or changed. */
export const changed = (what: string, was?: string, is?: string, verb = 'changed'): Finding => {
  const name = [what, was ?? is].filter(Boolean).join(' ');
  if (was === undefined) return found(`${name} added`);
  return found(is === undefined ? `${name} removed` : `${what} ${verb} from ${was} to ${is}`);
};

/**
 * Compares members without a rule. Any difference may break a client, because its effect is
 * unknown. References are followed.
 */
export const compareRest = (understood: string[], before: Nodes, after: Nodes): Finding[] =>
  Object.keys(Object.assign({}, ...before, ...after))
    .filter((name) => !understood.includes(name) && !isAnnotation(name))
    .flatMap((name) => {
      const [was, is] = both(before, after, (nodes) => valuesOf(nodes, name));
      return isDeepStrictEqual(was, is) ? [] : [changed(name, showAll(was), showAll(is))];
    });

/** Compares entries of both maps; entries of the first alone were removed. */
export const compareNamed = <T>(
  was: ReadonlyMap<string, T>,
  is: ReadonlyMap<string, T>,
  removed: string,
  compare: (was: T, is: T) => readonly Finding[] = () => [],
): Finding[] =>
  [...was].flatMap(([name, old]) => {
    const now = is.get(name);
    return under(name, now === undefined ? [found(removed)] : compare(old, now));
  });

/**
 * Which side must satisfy the other: requests may not require more, responses may not promise
 * less.
 */
export const heldAndWanted = <T>(direction: Direction, was: T, is: T): [held: T, wanted: T] =>
  direction === 'request' ? [was, is] : [is, was];
