import type { Alternative, CompareAlternatives, Kind } from './alternatives.ts';
import { type Finding, found, foundIf, heldAndWanted } from './comparison.ts';
import { includesJson, isMatch, isObject, show } from './json.ts';
import { isWhole } from './limits.ts';

const logic = ['not', 'if', 'then', 'else'];

/**
 * Keywords of which one cannot tell by looking which of two is the stricter: any other value is
 * a change.
 */
const assertionsOfKind: Record<Kind, readonly string[]> = {
  string: ['pattern', 'format', 'contentEncoding', 'contentMediaType', ...logic],
  number: ['format', ...logic],
  array: ['contains', 'minContains', 'maxContains', 'unevaluatedItems', ...logic],
  object: ['dependentRequired', 'dependentSchemas', 'propertyNames', ...logic],
  boolean: logic,
  null: logic,
};

type Implies = (held: unknown[], wanted: unknown) => boolean;

/** Everything but ranges, listed values and content: what a value must also satisfy. */
export const compareAssertions: CompareAlternatives = ({ direction }, before, after) => {
  const compare = (keyword: string, implies: Implies): Finding[] => {
    const [was, is] = [valuesOf(before, keyword), valuesOf(after, keyword)];
    const [held, wanted] = heldAndWanted(direction, was, is);
    if (wanted.every((value) => implies(held, value))) return [];
    const [old, now] = [was, is].map((values) => values.map(show).join(' and '));
    if (was.length === 0) return [found(`${keyword} ${now} added`)];
    if (is.length === 0) return [found(`${keyword} ${old} removed`)];
    return [found(`${keyword} changed from ${old} to ${now}`)];
  };
  const isLost = (holds: (alternative: Alternative) => boolean): boolean => {
    const [held, wanted] = heldAndWanted(direction, holds(before), holds(after));
    return wanted && !held;
  };
  const isRequest = direction === 'request';
  return [
    ...assertionsOfKind[before.kind].flatMap((keyword) => compare(keyword, includesJson)),
    ...(before.kind === 'number' ? compare('multipleOf', impliesStep) : []),
    ...foundIf(
      isLost(isWhole),
      `type ${isRequest ? 'narrowed from number to integer' : 'widened from integer to number'}`,
    ),
    ...foundIf(
      before.kind === 'array' && isLost(isUnique),
      `uniqueItems ${isRequest ? 'added' : 'removed'}`,
    ),
  ];
};

/**
 * Whether a listed value passes the assertions of an alternative that lists none. Only what can
 * be decided by looking is checked; the rest is taken as passed.
 */
export function passesAssertions(alternative: Alternative, value: unknown): boolean {
  if (typeof value === 'string') {
    return valuesOf(alternative, 'pattern').every((pattern) => isMatch(pattern, value) ?? true);
  }
  if (typeof value !== 'number') return true;
  if (isWhole(alternative) && !Number.isInteger(value)) return false;
  return valuesOf(alternative, 'multipleOf').every((step) => isMultiple(value, step));
}

const isUnique = ({ parts }: Alternative): boolean =>
  parts.some(({ uniqueItems }) => uniqueItems === true);

const impliesStep: Implies = (steps, wanted) => steps.some((step) => isMultiple(step, wanted));

function isMultiple(value: unknown, step: unknown): boolean {
  const quotient = Number(value) / Number(step);
  // Decimal steps such as 0.1 have no exact binary form.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

const valuesOf = ({ parts }: Alternative, keyword: string): unknown[] =>
  parts
    .filter((part) => Object.hasOwn(part, keyword))
    .map((part) => essence(part[keyword], hasNames.has(keyword)));

/** Keywords that only explain. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'examples',
  'example',
  '$comment',
  'deprecated',
]);
/** Keywords whose members have names chosen by the author. */
const hasNames: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  '$defs',
]);

/** A schema without its annotations and with name lists in one order, fit to be compared. */
function essence(value: unknown, isNamed: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => essence(item, false));
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNamed || !annotations.has(key))
      .map(([key, item]) => [key, essence(item, !isNamed && hasNames.has(key))]),
  );
}
