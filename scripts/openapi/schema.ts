import { isDeepStrictEqual } from 'node:util';
import {
  type Alternative,
  alternativesOf,
  type CompareAlternatives,
  type Comparison,
  type Schemas,
} from './alternatives.ts';
import { both, changed, type Direction, type Finding } from './finding.ts';
import { isAnnotation, isObject, type JsonObject, show, valuesOf } from './json.ts';
import { compareKeywords, compareOtherKeywords } from './keywords.ts';
import { compareArrays, compareObjects } from './members.ts';
import { flatten } from './references.ts';
import { compareKinds, compareValues, groupByKind } from './values.ts';
import { compareVariants } from './variants.ts';

/** Compares two schemas, each of its own document. Undefined stands for "any value". */
export function compareSchemas(direction: Direction, before: unknown, after: unknown): Finding[] {
  const numbers = new Map<unknown, number>();
  /** Names schemas by identity: texts would not end where schemas are recursive. */
  const identify = (parts: Schemas): string => {
    for (const part of parts) numbers.set(part, numbers.get(part) ?? numbers.size);
    return parts
      .map((part) => numbers.get(part))
      .toSorted()
      .join('+');
  };
  const underWay: Finding[] = [];
  /** How often a pair was met again below itself. */
  let cycles = 0;
  /** With what is known of each pair of schemas. */
  const create = (memo: Map<string, readonly Finding[]>): Comparison => ({
    direction,
    fork: () => create(new Map(memo)),
    compare(was, is) {
      const parts = both(was, is, reportingParts);
      if (parts.flat().length === 0) return [];
      const pair = parts.map(identify).join(':');
      const known = memo.get(pair);
      if (known === underWay) cycles += 1;
      if (known) return known;
      memo.set(pair, underWay);
      const met = cycles;
      const findings = compareBoth(this, was, is);
      // Schemas that use each other can be reached in countless ways: one is enough for a report.
      memo.set(pair, cycles === met ? findings : []);
      return findings;
    },
  });
  const listed = (schema: unknown): Schemas => (schema === undefined ? [] : [schema]);
  return [...create(new Map()).compare(listed(before), listed(after))];
}

/** What identifies a schema: everything it includes but the wrappers that only include. */
const reportingParts = (schemas: Schemas): unknown[] =>
  [...flatten(schemas)].filter((part) => !isObject(part) || Object.keys(part).some(isTelling));

const isTelling = (keyword: string): boolean =>
  keyword !== '$ref' && keyword !== 'allOf' && !isAnnotation(keyword);

function compareBoth(comparison: Comparison, before: Schemas, after: Schemas): Finding[] {
  const [old, now] = both(before, after, alternativesOf);
  const [was, is] = both(old, now, groupByKind);
  const ofKinds = [...was].flatMap(([kind, group]) => {
    const other = is.get(kind);
    if (!other) return [];
    return [
      ...compareValues(comparison.direction, group, other),
      ...compareVariants(comparison, group.open, other.open, compareAlternatives),
    ];
  });
  return [
    ...compareDefaults(comparison, before, after),
    ...compareOtherKeywords(...both(old, now, listingParts)),
    ...compareKinds(comparison.direction, was, is),
    ...ofKinds,
  ];
}

/** Alternatives that list their values are compared by these alone. */
const listingParts = (alternatives: Alternative[]): JsonObject[] => [
  ...new Set(alternatives.filter(({ values }) => values).flatMap(({ parts }) => parts)),
];

const compareAlternatives: CompareAlternatives = (comparison, before, after) => [
  ...compareKeywords(comparison, before, after),
  ...(before.kind === 'object' ? compareObjects(comparison, before, after) : []),
  ...(before.kind === 'array' ? compareArrays(comparison, before, after) : []),
];

/** Clients that leave a value out rely on its default. A first one says only what happened already. */
const compareDefaults = ({ direction }: Comparison, before: Schemas, after: Schemas): Finding[] => {
  const [[was], [is]] = both(before, after, (schemas) =>
    valuesOf([...flatten(schemas)].filter(isObject), 'default'),
  );
  const isKept = was === undefined || isDeepStrictEqual(was, is);
  return isKept || direction === 'response' ? [] : [changed('default', show(was), show(is))];
};
