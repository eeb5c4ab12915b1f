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

/** Comparison rule of a keyword. */
interface Rule {
  read(parts: Parts): unknown[];
  /** Whether a value that satisfies the first also satisfies the second. */
  implies(held: unknown, wanted: unknown): boolean;
  /** Whether a listed value satisfies it; true if that cannot be decided. */
  admits(value: unknown, asked: unknown): boolean;
  /** Text for a schema without the keyword, in place of `added` or `removed`. */
  readonly absent?: string;
  readonly verbs?: Readonly<Record<Direction, string>>;
}

type Rules = Readonly<Record<string, Rule>>;

/** By default any change is a finding. */
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

/** Lower and upper bound of numbers or counts. */
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

/** Keywords handled here, in `values.ts` and in `members.ts`, or that include other schemas. */
const understood = [
  ...Object.values(rules).flatMap(Object.keys),
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'type', 'const', 'enum', 'default'],
  ...['properties', 'patternProperties', 'additionalProperties', 'required', 'items'],
];

export const compareOtherKeywords = (was: Parts, is: Parts): Finding[] =>
  compareRest(understood, was, is);

/**
 * All keywords except listed values and members: a request may not require more, a response may
 * not promise less.
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

/** Whether an alternative without listed values accepts a value. */
export const admits = ({ kind, parts }: Alternative, value: unknown): boolean =>
  typeof value === 'object' ||
  Object.values(rules[kind]).every(({ read, admits }) =>
    read(parts).every((asked) => admits(value, asked)),
  );
