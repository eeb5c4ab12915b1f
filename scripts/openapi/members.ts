import type { Alternative, CompareAlternatives, Comparison, Schemas } from './alternatives.ts';
import { both, type Finding, found, foundIf, heldAndWanted, under } from './finding.ts';
import { isMatch, type JsonObject, listOf, mapOf } from './json.ts';

/** What the parts of an object schema say together. */
interface ObjectShape {
  readonly properties: ReadonlyMap<string, Schemas>;
  readonly patterns: ReadonlyMap<string, Schemas>;
  readonly required: ReadonlySet<string>;
  /** Schemas of properties that are not named; empty when any will do. */
  readonly others: Schemas;
  readonly isClosed: boolean;
}

function shapeOf({ parts }: Alternative): ObjectShape {
  const rules = parts.flatMap((part) => [part.additionalProperties, part.unevaluatedProperties]);
  return {
    properties: gather(parts, 'properties'),
    patterns: gather(parts, 'patternProperties'),
    required: new Set(parts.flatMap((part) => listOf(part.required)).map(String)),
    others: rules.filter((rule) => typeof rule === 'object'),
    isClosed: rules.includes(false),
  };
}

/** The schemas that a keyword of several objects gives to each name. */
export function gather(parts: readonly JsonObject[], keyword: string): Map<string, Schemas> {
  const named = parts.flatMap((part) => [...mapOf(part[keyword])]);
  return new Map(
    named.map(([name]) => [
      name,
      named.filter(([other]) => other === name).map(([, schema]) => schema),
    ]),
  );
}

/** The properties of two objects. */
export const compareObjects: CompareAlternatives = (comparison, before, after) => {
  const [was, is] = both(before, after, shapeOf);
  /** What is still declared; in a request the rules for undeclared ones may take its place. */
  const compare = (step: string, kind: string, old: Schemas, now: Schemas | undefined) =>
    under(step, now ? comparison.compare(old, now) : [found(`${kind} removed`)]);
  const isRequest = comparison.direction === 'request';
  const others = isRequest && !is.isClosed ? is.others : undefined;
  const ruleFor = (name: string): Schemas | undefined => {
    const matching = [...is.patterns].filter(([pattern]) => isRequest && isMatch(pattern, name));
    return matching.length > 0 ? matching.flatMap(([, schemas]) => schemas) : others;
  };
  // Entries of a map may have become properties of their own.
  const captured = was.isClosed || was.others.length === 0 ? [] : [...is.properties];
  return [
    ...compareRequired(comparison, was, is),
    ...[...was.properties].flatMap(([name, schemas]) =>
      compare(name, 'property', schemas, is.properties.get(name) ?? ruleFor(name)),
    ),
    ...captured
      .filter(([name]) => !was.properties.has(name))
      .flatMap(([name, schemas]) => compare(name, 'property', was.others, schemas)),
    ...[...was.patterns].flatMap(([pattern, schemas]) =>
      compare(`/${pattern}/`, 'pattern', schemas, is.patterns.get(pattern) ?? others),
    ),
    ...compareOthers(comparison, was, is),
  ];
};

function compareRequired({ direction }: Comparison, was: ObjectShape, is: ObjectShape): Finding[] {
  const [held, wanted] = heldAndWanted(direction, was.required, is.required);
  return [...wanted].flatMap((name) => {
    const isKnown = was.properties.has(name);
    const change = isKnown ? 'property became required' : 'required property added';
    if (direction === 'request') return foundIf(!held.has(name), change, name);
    // A property that is gone is reported as such.
    const isGone = isKnown && !is.properties.has(name);
    return foundIf(!held.has(name) && !isGone, 'property became optional', name);
  });
}

function compareOthers(comparison: Comparison, was: ObjectShape, is: ObjectShape): Finding[] {
  if (was.isClosed) return [];
  if (!is.isClosed) return under('*', comparison.compare(was.others, is.others));
  // A response that documented no other properties loses none.
  const isHarmless = comparison.direction === 'response' && was.others.length === 0;
  return foundIf(!isHarmless, 'additional properties no longer allowed');
}

/** The items of two arrays: those with a schema of their own, then all others. */
export const compareArrays: CompareAlternatives = (comparison, before, after) => {
  const compareAt = (at: number, step: string): Finding[] =>
    under(step, comparison.compare(itemAt(before, at), itemAt(after, at)));
  const parts = [...before.parts, ...after.parts];
  const leading = Math.max(0, ...parts.map(({ prefixItems }) => listOf(prefixItems).length));
  const places = Array.from({ length: leading }, (_, at) => compareAt(at, `[${at}]`));
  return [...compareAt(leading, '[]'), ...places.flat()];
};

const itemAt = ({ parts }: Alternative, at: number): Schemas =>
  parts
    .map(({ prefixItems, items }) => listOf(prefixItems)[at] ?? items)
    .filter((schema) => schema !== undefined);
