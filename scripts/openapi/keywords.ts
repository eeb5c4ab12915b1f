import { isDeepStrictEqual } from 'node:util';
import { type Alternative, type CompareAlternatives, type Kind, typesOf } from './alternatives.ts';
import { both, changed, type Direction, heldAndWanted } from './finding.ts';
import { essenceOf, isMatch, type JsonObject, show } from './json.ts';

type Parts = readonly JsonObject[];

/** How a keyword is judged: it asks for something or nothing, and a schema of several parts for more. */
interface Rule {
  readonly keyword: string;
  read(parts: Parts, areWhole: boolean): unknown[];
  /** Whether a value that satisfies the first satisfies the second. */
  implies(held: unknown, wanted: unknown): boolean;
  /** Whether a listed value satisfies it; what cannot be told by looking is taken as satisfied. */
  admits(value: unknown, asked: unknown): boolean;
  show(asked: unknown): string | undefined;
  /** What findings call a schema that asks for nothing; else they say `added` or `removed`. */
  readonly absent?: string;
  readonly verbs?: Readonly<Record<Direction, string>>;
}

/** Unless told more, any other value is a change. */
const rule = (keyword: string, more: Partial<Rule> = {}): Rule => ({
  keyword,
  read: (parts) =>
    parts
      .filter((part) => Object.hasOwn(part, keyword))
      .map((part) => essenceOf(part[keyword], keyword)),
  implies: isDeepStrictEqual,
  admits: () => true,
  show,
  ...more,
});

/** An end of a range: its value, negated for an upper one, so that the larger is the tighter. */
interface Limit {
  readonly bound: number;
  /** Whether the value itself is outside. */
  readonly isOpen: boolean;
}

const isTighter = (left: Limit, right: Limit): boolean =>
  left.bound > right.bound || (left.bound === right.bound && left.isOpen && !right.isOpen);

/** A lower (`sign` 1) or upper (−1) end of numbers or, without `openKeyword`, of a count. */
const limit = (sign: 1 | -1, keyword: string, openKeyword = ''): Rule => {
  const [beyond, request, response] =
    sign === 1
      ? (['above ', 'raised', 'lowered'] as const)
      : (['below ', 'lowered', 'raised'] as const);
  const limitsOf = (part: JsonObject, areWhole: boolean): Limit[] =>
    [keyword, openKeyword].flatMap((name) => {
      const [bound, isOpen] = [sign * Number(part[name]), name === openKeyword];
      // No count is below zero, so such a limit limits nothing.
      if (typeof part[name] !== 'number' || (!openKeyword && sign === 1 && bound === 0)) return [];
      if (!areWhole) return [{ bound, isOpen }];
      // Between integers `> 0` is `>= 1`.
      return [{ bound: isOpen ? Math.floor(bound) + 1 : Math.ceil(bound), isOpen: false }];
    });
  return rule(keyword, {
    read(parts, areWhole) {
      const limits = parts.flatMap((part) => limitsOf(part, areWhole));
      return limits.filter((each) => !limits.some((other) => isTighter(other, each))).slice(0, 1);
    },
    implies: (held, wanted) => !isTighter(wanted as Limit, held as Limit),
    admits(value, asked) {
      const bound = sign * (typeof value === 'string' ? [...value].length : Number(value));
      return !isTighter(asked as Limit, { bound, isOpen: false });
    },
    show: (asked) => `${(asked as Limit).isOpen ? beyond : ''}${sign * (asked as Limit).bound}`,
    verbs: { request, response },
  });
};

const isMultiple = (value: unknown, step: unknown): boolean => {
  const quotient = Number(value) / Number(step);
  // Decimal steps such as 0.1 have no exact binary form.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
};

/** Whether a number must be an integer. */
export const isWhole = (parts: Parts): boolean =>
  parts.some(({ type }) => typesOf(type).includes('integer') && !typesOf(type).includes('number'));

/** Keywords of which one cannot tell by looking which of two values is the stricter. */
const opaque = (...keywords: string[]): Rule[] => keywords.map((keyword) => rule(keyword));

const logic = opaque('not', 'if', 'then', 'else');

const rules: Readonly<Record<Kind, readonly Rule[]>> = {
  string: [
    limit(1, 'minLength'),
    limit(-1, 'maxLength'),
    rule('pattern', { admits: (text, pattern) => isMatch(pattern, String(text)) ?? true }),
    ...opaque('format', 'contentEncoding', 'contentMediaType'),
    ...logic,
  ],
  number: [
    limit(1, 'minimum', 'exclusiveMinimum'),
    limit(-1, 'maximum', 'exclusiveMaximum'),
    ...opaque('format'),
    rule('multipleOf', { implies: isMultiple, admits: isMultiple }),
    rule('type', {
      read: (parts) => (isWhole(parts) ? ['integer'] : []),
      admits: Number.isInteger,
      show: String,
      absent: 'number',
      verbs: { request: 'narrowed', response: 'widened' },
    }),
    ...logic,
  ],
  array: [
    limit(1, 'minItems'),
    limit(-1, 'maxItems'),
    rule('uniqueItems', {
      read: (parts) => (parts.some(({ uniqueItems }) => uniqueItems === true) ? [true] : []),
      show: () => '',
    }),
    ...opaque('contains', 'minContains', 'maxContains', 'unevaluatedItems'),
    ...logic,
  ],
  object: [
    limit(1, 'minProperties'),
    limit(-1, 'maxProperties'),
    ...opaque('dependentRequired', 'dependentSchemas', 'propertyNames'),
    ...logic,
  ],
  boolean: logic,
  null: logic,
};

/**
 * Everything but listed values and members: a request must not have to satisfy more, and a response
 * must not satisfy less.
 */
export const compareKeywords: CompareAlternatives = ({ direction }, before, after) =>
  rules[before.kind].flatMap(({ keyword, read, implies, show, absent, verbs }) => {
    const areWhole = isWhole(before.parts) && isWhole(after.parts);
    const [was, is] = both(before, after, ({ parts }) => read(parts, areWhole));
    const [held, wanted] = heldAndWanted(direction, was, is);
    if (wanted.every((asked) => held.some((other) => implies(other, asked)))) return [];
    const [old, now] = both(was, is, (all) =>
      all.length > 0 ? all.map(show).join(' and ') : absent,
    );
    return [changed(keyword, old, now, verbs?.[direction])];
  });

/** Whether a listed value is among those of an alternative that lists none. */
export const admits = ({ kind, parts }: Alternative, value: unknown): boolean =>
  typeof value === 'object' ||
  rules[kind].every(({ read, admits }) =>
    read(parts, false).every((asked) => admits(value, asked)),
  );
