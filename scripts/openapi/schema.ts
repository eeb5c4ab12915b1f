import { isDeepStrictEqual } from 'node:util';
import { alternativesOf, type CompareAlternatives, flatten } from './alternatives.ts';
import {
  type Comparison,
  changed,
  type Direction,
  type Documents,
  type Finding,
  found,
  foundIf,
  type Schemas,
} from './comparison.ts';
import { isAnnotation, isObject, type JsonObject, show } from './json.ts';
import { compareKeywords } from './keywords.ts';
import { compareArrays, compareObjects } from './members.ts';
import { lookUp } from './reference.ts';
import { compareKinds, compareValues, groupByKind } from './values.ts';
import { compareVariants } from './variants.ts';

/** Compares two schemas, each in its own document. Undefined stands for "any value". */
export function compareSchemas(
  documents: Documents,
  direction: Direction,
  before: unknown,
  after: unknown,
): readonly Finding[] {
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
    ...documents,
    direction,
    fork: () => create(new Map(memo)),
    compare(was, is) {
      const parts = [tellingParts(documents.before, was), tellingParts(documents.after, is)];
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
  return create(new Map()).compare(listed(before), listed(after));
}

/** What identifies a schema: everything it includes but the wrappers that only include. */
const tellingParts = (document: JsonObject, schemas: Schemas): unknown[] =>
  [...flatten(document, schemas)].filter(
    (part) => !isObject(part) || isDangling(document, part) || Object.keys(part).some(isTelling),
  );

const isTelling = (keyword: string): boolean =>
  keyword !== '$ref' && keyword !== 'allOf' && !isAnnotation(keyword);

const isDangling = (document: JsonObject, { $ref }: JsonObject): boolean =>
  typeof $ref === 'string' && lookUp(document, $ref) === undefined;

function compareBoth(comparison: Comparison, before: Schemas, after: Schemas): Finding[] {
  const { direction } = comparison;
  const was = groupByKind(alternativesOf(comparison.before, before));
  const is = groupByKind(alternativesOf(comparison.after, after));
  const ofKinds = [...was].flatMap(([kind, group]) => {
    const other = is.get(kind);
    if (!other) return [];
    return [
      ...compareValues(group, other, direction),
      ...compareVariants(comparison, group.open, other.open, compareAlternatives),
    ];
  });
  const use = compareUse(comparison, before, after);
  return [...use, ...compareKinds(was, is, direction), ...ofKinds];
}

const compareAlternatives: CompareAlternatives = (comparison, before, after) => [
  ...compareKeywords(comparison, before, after),
  ...(before.kind === 'object' ? compareObjects(comparison, before, after) : []),
  ...(before.kind === 'array' ? compareArrays(comparison, before, after) : []),
];

/** What is said of the value as a whole, whatever its type. */
function compareUse(comparison: Comparison, before: Schemas, after: Schemas): Finding[] {
  const was = [...flatten(comparison.before, before)].filter(isObject);
  const is = [...flatten(comparison.after, after)].filter(isObject);
  const lost = was.filter((part) => isDangling(comparison.before, part)).map(({ $ref }) => $ref);
  const dangling = is.filter(
    (part) => isDangling(comparison.after, part) && !lost.includes(part.$ref),
  );
  const isRequest = comparison.direction === 'request';
  const flag = isRequest ? 'readOnly' : 'writeOnly';
  const isFlagged = (part: JsonObject): boolean => part[flag] === true;
  const [old, now] = [was, is].map((parts) => parts.find((part) => 'default' in part)?.default);
  const isOther = old !== undefined && !isDeepStrictEqual(old, now);
  return [
    ...dangling.map(({ $ref }) => found(`reference ${show($ref)} leads nowhere`)),
    ...foundIf(is.some(isFlagged) && !was.some(isFlagged), `${flag} added`),
    ...(isRequest && isOther ? [changed('default', show(old), show(now))] : []),
  ];
}
