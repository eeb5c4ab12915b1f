import { isDeepStrictEqual } from 'node:util';
import { type Alternative, type CompareAlternatives, type Kind, typesOf } from './alternatives.ts';
import { changed, type Direction, type Finding, heldAndWanted } from './comparison.ts';
import { essenceOf } from './essence.ts';
import { isMatch, type JsonObject, show } from './json.ts';

type Parts = readonly JsonObject[];

/** How a keyword is judged, where `T` is what it asks of a value. */
interface Rule<T> {
  readonly keyword: string;
  /** What the parts of a schema ask together; undefined where they ask nothing. */
  read(parts: Parts, areWhole: boolean): T | undefined;
  /** Whether every value that satisfies the first satisfies the second. */
  implies(held: T, wanted: T): boolean;
  /** Whether a listed value satisfies it; what cannot be told by looking is taken as satisfied. */
  admits(asked: T, value: unknown): boolean;
  show(asked: T): string;
  /** What findings call a schema that asks nothing; else they say `added` or `removed`. */
  readonly absent?: string;
  readonly verbs?: Readonly<Record<Direction, string>>;
}

/** A rule that is applied: `T` is known to nobody else. */
interface Judge {
  compare(direction: Direction, before: Alternative, after: Alternative): Finding[];
  admits(parts: Parts, value: unknown): boolean;
}

const logic = ['not', 'if', 'then', 'else'].map((keyword) => each(keyword));

const judges: Readonly<Record<Kind, readonly Judge[]>> = {
  string: [
    limit(1, 'minLength'),
    limit(-1, 'maxLength'),
    each('pattern', isDeepStrictEqual, (text, pattern) => isMatch(pattern, `${text}`) ?? true),
    ...['format', 'contentEncoding', 'contentMediaType'].map((keyword) => each(keyword)),
    ...logic,
  ],
  number: [
    limit(1, 'minimum', 'exclusiveMinimum'),
    limit(-1, 'maximum', 'exclusiveMaximum'),
    each('format'),
    ...logic,
    each('multipleOf', isMultiple, isMultiple),
    flag('type', isWhole, {
      absent: 'number',
      show: () => 'integer',
      admits: (_, value) => Number.isInteger(value),
      verbs: { request: 'narrowed', response: 'widened' },
    }),
  ],
  array: [
    limit(1, 'minItems'),
    limit(-1, 'maxItems'),
    ...['contains', 'minContains', 'maxContains', 'unevaluatedItems'].map((keyword) =>
      each(keyword),
    ),
    ...logic,
    flag('uniqueItems', (parts) => parts.some(({ uniqueItems }) => uniqueItems === true)),
  ],
  object: [
    limit(1, 'minProperties'),
    limit(-1, 'maxProperties'),
    ...['dependentRequired', 'dependentSchemas', 'propertyNames'].map((keyword) => each(keyword)),
    ...logic,
  ],
  boolean: logic,
  null: logic,
};

/**
 * Everything but listed values and content: what a value must also satisfy. Requests must not have
 * to satisfy more, and responses must not satisfy less.
 */
export const compareKeywords: CompareAlternatives = ({ direction }, before, after) =>
  judges[before.kind].flatMap((judge) => judge.compare(direction, before, after));

/** Whether a listed value is among those of an alternative that lists none. */
export const admits = ({ kind, parts }: Alternative, value: unknown): boolean =>
  judges[kind].every((judge) => judge.admits(parts, value));

/** Whether a number must be an integer. */
export function isWhole(parts: Parts): boolean {
  const types = parts.map(({ type }) => typesOf(type));
  return types.some((each) => each.includes('integer') && !each.includes('number'));
}

function judge<T>({ keyword, read, implies, admits, show, absent, verbs }: Rule<T>): Judge {
  return {
    compare(direction, before, after) {
      const areWhole = isWhole(before.parts) && isWhole(after.parts);
      const [was, is] = [read(before.parts, areWhole), read(after.parts, areWhole)];
      const [held, wanted] = heldAndWanted(direction, was, is);
      if (wanted === undefined || (held !== undefined && implies(held, wanted))) return [];
      const [old, now] = [was, is].map((asked) => (asked === undefined ? absent : show(asked)));
      return [changed(keyword, old, now, verbs?.[direction])];
    },
    admits(parts, value) {
      const asked = read(parts, false);
      return asked === undefined || admits(asked, value);
    },
  };
}

/** An end of a range: its value, negated for an upper one, so that the larger is the tighter. */
interface Limit {
  readonly bound: number;
  /** Whether the value itself is outside. */
  readonly isOpen: boolean;
}

/** A lower (`sign` 1) or upper (−1) end of numbers or, without `openKeyword`, of a count. */
function limit(sign: 1 | -1, keyword: string, openKeyword = ''): Judge {
  const [request, response] = sign === 1 ? ['raised', 'lowered'] : ['lowered', 'raised'];
  return judge<Limit>({
    keyword,
    read(parts, areWhole) {
      const limits = parts.flatMap((part) =>
        [keyword, openKeyword].flatMap((name) => {
          if (typeof part[name] !== 'number') return [];
          const [bound, isOpen] = [sign * part[name], name === openKeyword];
          // No count is below zero, so such a limit limits nothing.
          if (!openKeyword && sign === 1 && bound === 0) return [];
          if (!areWhole) return [{ bound, isOpen }];
          // Between integers `> 0` is `>= 1`.
          return [{ bound: isOpen ? Math.floor(bound) + 1 : Math.ceil(bound), isOpen: false }];
        }),
      );
      return limits.find((each) => !limits.some((other) => isTighter(other, each)));
    },
    implies: (held, wanted) => !isTighter(wanted, held),
    admits(asked, value) {
      const measure = typeof value === 'string' ? [...value].length : value;
      if (typeof measure !== 'number') return true;
      return !isTighter(asked, { bound: sign * measure, isOpen: false });
    },
    show: ({ bound, isOpen }) =>
      `${isOpen ? (sign === 1 ? 'above ' : 'below ') : ''}${sign * bound}`,
    verbs: { request, response },
  });
}

function isTighter(left: Limit, right: Limit): boolean {
  return left.bound > right.bound || (left.bound === right.bound && left.isOpen && !right.isOpen);
}

type Relation = (value: unknown, asked: unknown) => boolean;

/**
 * A keyword of which each wanted value must be implied by one that holds. Of most one cannot tell by
 * looking which of two is the stricter: any other value is a change.
 */
function each(keyword: string, implies: Relation = isDeepStrictEqual, satisfies?: Relation): Judge {
  return judge<unknown[]>({
    keyword,
    read(parts) {
      const telling = parts.filter((part) => Object.hasOwn(part, keyword));
      return telling.length > 0 ? telling.map((part) => essenceOf(part, keyword)) : undefined;
    },
    implies: (held, wanted) => wanted.every((value) => held.some((other) => implies(other, value))),
    admits: (asked, value) => asked.every((one) => satisfies?.(value, one) ?? true),
    show: (values) => values.map(show).join(' and '),
  });
}

function isMultiple(value: unknown, step: unknown): boolean {
  const quotient = Number(value) / Number(step);
  // Decimal steps such as 0.1 have no exact binary form.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** What is asked or not, without a value. */
function flag(
  keyword: string,
  isSet: (parts: Parts) => boolean,
  more: Partial<Rule<true>> = {},
): Judge {
  const read = (parts: Parts): true | undefined => isSet(parts) || undefined;
  return judge<true>({
    keyword,
    read,
    implies: () => true,
    admits: () => true,
    show: () => '',
    ...more,
  });
}
