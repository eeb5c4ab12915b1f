import { isDeepStrictEqual } from 'node:util';
import type { Alternative, CompareAlternatives, Comparison, Schemas } from './alternatives.ts';
import { both, compareNamed, type Finding, foundIf, heldAndWanted, under } from './finding.ts';
import { gather, isObject, listOf, valuesOf } from './json.ts';

interface ObjectShape {
  readonly properties: ReadonlyMap<string, Schemas>;
  readonly patterns: ReadonlyMap<string, Schemas>;
  readonly required: ReadonlySet<string>;
  readonly isClosed: boolean;
  /** Schemas of all other properties, with their names, compared as a whole. */
  readonly others: Schemas;
}

const shapeOf = ({ parts }: Alternative): ObjectShape => ({
  properties: gather(parts, 'properties'),
  patterns: gather(parts, 'patternProperties'),
  required: new Set(valuesOf(parts, 'required').flatMap(listOf).map(String)),
  isClosed: valuesOf(parts, 'additionalProperties').includes(false),
  others: valuesOf(parts, 'additionalProperties')
    .filter(isObject)
    .map((schema) => [schema, ...gather(parts, 'properties').keys()]),
});

export const compareObjects: CompareAlternatives = (comparison, before, after) => {
  const [was, is] = both(before, after, shapeOf);
  const isRequest = comparison.direction === 'request';
  // An open request still accepts a property it no longer declares, unless a pattern applies.
  const isLenient = isRequest && !is.isClosed && is.patterns.size === 0;
  // A response without documented extra properties loses none.
  const isClosing = isRequest && is.isClosed && !was.isClosed;
  const compareEach = (kind: 'properties' | 'patterns', removed: string): Finding[] => {
    const anything = isLenient ? [...was[kind].keys()].map((name) => [name, []] as const) : [];
    const now = new Map<string, Schemas>([...anything, ...is[kind]]);
    return compareNamed(was[kind], now, removed, (one, other) => comparison.compare(one, other));
  };
  return [
    ...compareRequired(comparison, was, is),
    ...compareEach('properties', 'property removed'),
    ...compareEach('patterns', 'pattern removed'),
    ...foundIf(isClosing, 'additional properties no longer allowed'),
    ...foundIf(!isDeepStrictEqual(was.others, is.others), 'additionalProperties changed'),
  ];
};

function compareRequired({ direction }: Comparison, was: ObjectShape, is: ObjectShape): Finding[] {
  const [held, wanted] = heldAndWanted(direction, was.required, is.required);
  return [...wanted].flatMap((name) => {
    const isKnown = was.properties.has(name);
    const change = isKnown ? 'property became required' : 'required property added';
    if (direction === 'request') return foundIf(!held.has(name), change, name);
    // A removed property is reported separately.
    const isGone = isKnown && !is.properties.has(name);
    return foundIf(!held.has(name) && !isGone, 'property became optional', name);
  });
}

export const compareArrays: CompareAlternatives = (comparison, before, after) => {
  const [was, is] = both(before, after, ({ parts }) => valuesOf(parts, 'items'));
  return under('[]', comparison.compare(was, is));
};
