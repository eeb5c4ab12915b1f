import { isDeepStrictEqual } from 'node:util';
import { isAnnotation, type JsonObject, showAll, valuesOf } from './json.ts';

/** A breaking change and the steps that lead to it from the node that was compared. */
export interface Finding {
  readonly trail: readonly string[];
  readonly change: string;
}

/** Who writes the value: clients write requests and read responses. */
export type Direction = 'request' | 'response';

/** Nodes that all apply to the same thing. */
type Nodes = readonly JsonObject[];

/** Compares two nodes of the documents. */
export type CompareNodes = (before: JsonObject, after: JsonObject) => Finding[];

/** The same of what was and of what is. */
export const both = <T, R>(was: T, is: T, of: (side: T) => R): [was: R, is: R] => [of(was), of(is)];

export const found = (change: string, ...trail: string[]): Finding => ({ trail, change });

export const foundIf = (isFound: boolean, change: string, ...trail: string[]): Finding[] =>
  isFound ? [found(change, ...trail)] : [];

export const under = (step: string, findings: readonly Finding[]): Finding[] =>
  findings.map(({ trail, change }) => found(change, step, ...trail));

/** That something is new, gone or another, by what each side says of it. */
export const changed = (what: string, was?: string, is?: string, verb = 'changed'): Finding => {
  const name = [what, was ?? is].filter(Boolean).join(' ');
  if (was === undefined) return found(`${name} added`);
  return found(is === undefined ? `${name} removed` : `${what} ${verb} from ${was} to ${is}`);
};

/**
 * What nodes say in members that nothing here understands. Whether another value asks for more or for less
 * cannot be told, so that any difference may break a client. References lead on into what they mean.
 */
export const compareRest = (understood: string[], before: Nodes, after: Nodes): Finding[] =>
  Object.keys(Object.assign({}, ...before, ...after))
    .filter((name) => !understood.includes(name) && !isAnnotation(name))
    .flatMap((name) => {
      const [was, is] = both(before, after, (nodes) => valuesOf(nodes, name));
      return isDeepStrictEqual(was, is) ? [] : [changed(name, showAll(was), showAll(is))];
    });

/** Compares what both maps hold; what only the first holds was removed. */
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

/** What holds must satisfy: a request nothing new, and a response all that it did. */
export const heldAndWanted = <T>(direction: Direction, was: T, is: T): [held: T, wanted: T] =>
  direction === 'request' ? [was, is] : [is, was];
