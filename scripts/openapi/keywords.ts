import { isDeepStrictEqual } from 'node:util';
import { type Alternative, type CompareAlternatives, type Kind, typesOf } from './alternatives.ts';
import {
  both,
  changed,
  compareRest,
  type Direction,
  type Finding,
  heldAndWanted,
} from './finding.ts';
import { type JsonObject, showAll, valuesOf } from './json.ts';

type Parts = readonly JsonObject[];

/** How a keyword is judged: it asks for something or nothing, and a schema of several parts for more. */
interface Rule {
  read(parts: Parts): unknown[];
  /** Whether a value that satisfies the first satisfies the second. */
  implies(held: unknown, wanted: unknown): boolean;
  /** Whether a listed value satisfies it; what cannot be told by looking is taken as satisfied. */
  admits(value: unknown, asked: unknown): boolean;
  /** What findings call a schema that asks for nothing; else they say `added` or `removed`. */
  readonly absent?: string;
  readonly verbs?: Readonly<Record<Direction, string>>;
}

type Rules = Readonly<Record<string, Rule>>;

/** Unless told more, any other value is a change. */
const rule = (keyword: string, more: Partial<Rule> = {}): Rules => ({
  [keyword]: {
    read: (parts) => valuesOf(parts, keyword),
    implies: isDeepStrictEqual,
    admits: () => true,
    ...more,
  },
});

const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? [...value].length : Number(value);

/** The ends of numbers or of a count. */
const limits = (lower: string, upper: string): Rules => ({
  ...rule(lower, {
    implies: (held, wanted) => Number(held) >= Number(wanted),
    admits: (value, asked) => sizeOf(value) >= Number(asked),
    verbs: { request: 'raised', response: 'lowered' },
  }),
  ...rule(upper, {
    implies: (held, wanted) => Number(held) <= Number(wanted),
    admits: (value, asked) => sizeOf(value) <= Number(asked),
    verbs: { request: 'lowered', response: 'raised' },
  }),
});

/** Whether a number must be an integer. */
export const isWhole = (parts: Parts): boolean =>
  parts.some(({ type }) => typesOf(type).includes('integer') && !typesOf(type).includes('number'));

const rules: Readonly<Record<Kind, Rules>> = {
  string: {
    ...limits('minLength', 'maxLength'),
    ...rule('pattern', {
      admits: (text, asked) => new RegExp(String(asked), 'u').test(String(text)),
    }),
  },
  number: {
    ...limits('minimum', 'maximum'),
    ...rule('type', {
      read: (parts) => (isWhole(parts) ? ['integer'] : []),
      admits: Number.isInteger,
      absent: '"number"',
      verbs: { request: 'narrowed', response: 'widened' },
    }),
  },
  array: { ...limits('minItems', 'maxItems'), ...rule('uniqueItems') },
  object: limits('minProperties', 'maxProperties'),
  boolean: {},
  null: {},
};

/** Keywords that are judged here, in `values.ts` and in `members.ts`, or include other schemas. */
const understood = [
  ...Object.values(rules).flatMap(Object.keys),
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'type', 'const', 'enum', 'default'],
  ...['properties', 'patternProperties', 'additionalProperties', 'required', 'items'],
];

export const compareOtherKeywords = (was: Parts, is: Parts): Finding[] =>
  compareRest(understood, was, is);

/**
 * Everything but listed values and members: a request must not have to satisfy more, and a response
 * must not satisfy less.
 */
export const compareKeywords: CompareAlternatives = ({ direction }, before, after) => [
  ...Object.entries(rules[before.kind]).flatMap(([keyword, { read, implies, absent, verbs }]) => {
    const [was, is] = both(before, after, ({ parts }) => read(parts));
    const [held, wanted] = heldAndWanted(direction, was, is);
    if (wanted.every((asked) => held.some((other) => implies(other, asked)))) return [];
    const [old, now] = both(was, is, (all) => showAll(all) ?? absent);
    return [changed(keyword, old, now, verbs?.[direction])];
  }),
  ...compareOtherKeywords(before.parts, after.parts),
];

/** Whether a listed value is among those of an alternative that lists none. */
export const admits = ({ kind, parts }: Alternative, value: unknown): boolean =>
  typeof value === 'object' ||
  Object.values(rules[kind]).every(({ read, admits }) =>
    read(parts).every((asked) => admits(value, asked)),
  );
