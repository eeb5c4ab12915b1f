import type { Alternative, CompareAlternatives } from './alternatives.ts';
import {
  type Comparison,
  type Finding,
  found,
  foundIf,
  inside,
  type Schemas,
} from './comparison.ts';
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

function objectShape({ parts }: Alternative): ObjectShape {
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
  const gathered = new Map<string, Schemas>();
  for (const part of parts) {
    for (const [name, schema] of mapOf(part[keyword])) {
      gathered.set(name, [...(gathered.get(name) ?? []), schema]);
    }
  }
  return gathered;
}

/** The properties of two objects. */
export const compareObjects: CompareAlternatives = (comparison, before, after) => {
  const [was, is] = [objectShape(before), objectShape(after)];
  return [
    ...compareRequired(comparison, was, is),
    ...[...was.properties].flatMap(([name, schemas]) =>
      inside(name, compareProperty(comparison, name, schemas, is)),
    ),
    ...compareCaptured(comparison, was, is),
    ...[...was.patterns].flatMap(([pattern, schemas]) =>
      inside(`/${pattern}/`, comparePattern(comparison, pattern, schemas, is)),
    ),
    ...compareOthers(comparison, was, is),
  ];
};

function compareRequired({ direction }: Comparison, was: ObjectShape, is: ObjectShape): Finding[] {
  if (direction === 'request') {
    return [...is.required].flatMap((name) => {
      const isKnown = was.properties.has(name);
      const change = isKnown ? 'property became required' : 'required property added';
      return foundIf(!was.required.has(name), change, name);
    });
  }
  return [...was.required].flatMap((name) => {
    // A property that is gone is reported as such.
    const isGone = was.properties.has(name) && !is.properties.has(name);
    return foundIf(!is.required.has(name) && !isGone, 'property became optional', name);
  });
}

function compareProperty(
  comparison: Comparison,
  name: string,
  schemas: Schemas,
  is: ObjectShape,
): readonly Finding[] {
  const same = is.properties.get(name);
  if (same) return comparison.compare(schemas, same);
  if (comparison.direction === 'response') return [found('property removed')];
  // The patterns, or the rule for other properties, now decide what it may hold.
  const matching = [...is.patterns].filter(([pattern]) => isMatch(pattern, name));
  if (matching.length === 0 && is.isClosed) return [found('property removed')];
  const rules = matching.length > 0 ? matching.flatMap(([, each]) => each) : is.others;
  return comparison.compare(schemas, rules);
}

/** Entries of a map that became properties of their own. */
function compareCaptured(comparison: Comparison, was: ObjectShape, is: ObjectShape): Finding[] {
  if (was.isClosed || was.others.length === 0) return [];
  return [...is.properties]
    .filter(([name]) => !was.properties.has(name))
    .flatMap(([name, schemas]) => inside(name, comparison.compare(was.others, schemas)));
}

function comparePattern(
  comparison: Comparison,
  pattern: string,
  schemas: Schemas,
  is: ObjectShape,
): readonly Finding[] {
  const same = is.patterns.get(pattern);
  if (!same && (is.isClosed || comparison.direction === 'response')) {
    return [found('pattern removed')];
  }
  return comparison.compare(schemas, same ?? is.others);
}

function compareOthers(comparison: Comparison, was: ObjectShape, is: ObjectShape): Finding[] {
  if (was.isClosed) return [];
  if (is.isClosed) {
    // A response that documented no other properties loses none.
    const isHarmless = comparison.direction === 'response' && was.others.length === 0;
    return foundIf(!isHarmless, 'additional properties no longer allowed');
  }
  return inside('*', comparison.compare(was.others, is.others));
}

/** The items of two arrays: those with a schema of their own, then all others. */
export const compareArrays: CompareAlternatives = (comparison, before, after) => {
  const compareAt = (at: number, step: string): Finding[] =>
    inside(step, comparison.compare(itemAt(before, at), itemAt(after, at)));
  const parts = [...before.parts, ...after.parts];
  const leading = Math.max(0, ...parts.map(({ prefixItems }) => listOf(prefixItems).length));
  const places = Array.from({ length: leading }, (_, at) => compareAt(at, `[${at}]`));
  return [...compareAt(leading, '[]'), ...places.flat()];
};

const itemAt = ({ parts }: Alternative, at: number): Schemas =>
  parts
    .map(({ prefixItems, items }) => listOf(prefixItems)[at] ?? items)
    .filter((schema) => schema !== undefined);
