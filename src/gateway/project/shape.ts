import type { TSchema } from 'typebox';
import type { PathSegment } from '../../base/json/field-path.ts';
import { isJsonObject } from '../../base/json/json-value.ts';
import type { ProblemCode } from './problems.ts';

/** Told what is wrong where; a flaw reads on from the name of the field. */
export type ShapeReport = (at: readonly PathSegment[], code: ProblemCode, flaw: string) => void;

/** What of a schema is looked at here. Typebox hides its keywords behind the types it infers. */
export interface Keywords {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  readonly patternProperties?: object;
  readonly items?: Keywords;
  readonly anyOf?: readonly Keywords[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description?: string;
  readonly 'x-variant'?: string;
  readonly 'x-rule'?: string;
  readonly 'x-table'?: string;
}

export const keywordsOf = (schema: TSchema): Keywords => schema as unknown as Keywords;

/** What a field has if it is left out; undefined if it has nothing then. */
export const defaultOf = (schema: Keywords): unknown => schema.default;

/** The form of a union that a value has. */
export const formOf = (schema: Keywords, value: unknown): Keywords => {
  const field = schema['x-variant'];
  if (field === undefined || !schema.anyOf) return schema;
  const mark = (value as Record<string, unknown>)[field];
  const form = schema.anyOf.find((candidate) => allows(candidate, field, mark));
  return form ? formOf(form, value) : schema;
};

/** Whether a form of a union has this value in the field that tells forms apart. */
export const allows = (form: Keywords, field: string, mark: unknown): boolean =>
  form.properties?.[field]?.enum?.includes(mark as string) ??
  form.anyOf?.some((inner) => allows(inner, field, mark)) ??
  false;

/** Looks at a value, and gives it back with its defaults; undefined if it was refused. */
type Check = (value: unknown, at: PathSegment[], report: ShapeReport) => unknown;

const refuse = (
  at: PathSegment[],
  report: ShapeReport,
  code: ProblemCode,
  flaw: string,
): undefined => {
  report(at, code, flaw);
  return undefined;
};

const checkText = (schema: Keywords): Check => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
  const rule = schema['x-rule'] ?? `must match ${schema.pattern}`;
  return (value, at, report) => {
    if (typeof value !== 'string') return refuse(at, report, 'wrong_type', 'must be a text');
    if (value.length < minLength) return refuse(at, report, 'out_of_range', 'must not be empty');
    if (value.length > maxLength) {
      const flaw = `must have at most ${maxLength} characters`;
      return refuse(at, report, 'out_of_range', flaw);
    }
    if (pattern && !pattern.test(value)) return refuse(at, report, 'invalid_text', rule);
    return value;
  };
};

const checkChoice = ({ enum: choices = [] }: Keywords): Check => {
  const flaw = `must be ${choices.length === 1 ? choices[0] : `one of ${choices.join(', ')}`}`;
  return (value, at, report) =>
    choices.includes(value as string) ? value : refuse(at, report, 'invalid_choice', flaw);
};

const rangeWords = ({ minimum, maximum }: Keywords): string => {
  if (minimum === undefined) return `must be at most ${maximum}`;
  return maximum === undefined
    ? `must be at least ${minimum}`
    : `must be from ${minimum} to ${maximum}`;
};

const checkNumber = (schema: Keywords): Check => {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const isInteger = schema.type === 'integer';
  return (given, at, report) => {
    const value = typeof given === 'bigint' ? Number(given) : given;
    if (typeof value !== 'number') return refuse(at, report, 'wrong_type', 'must be a number');
    if (isInteger && !Number.isInteger(value)) {
      return refuse(at, report, 'wrong_type', 'must be a whole number');
    }
    if (value < minimum || value > maximum) {
      return refuse(at, report, 'out_of_range', rangeWords(schema));
    }
    if (typeof given === 'bigint' && BigInt(value) !== given) {
      const flaw = 'must be an integer that a double holds exactly';
      return refuse(at, report, 'inexact', flaw);
    }
    return value;
  };
};

const checkFlag = (): Check => (value, at, report) =>
  typeof value === 'boolean' ? value : refuse(at, report, 'wrong_type', 'must be true or false');

const lengthWords = (minItems: number, maxItems: number, length: number): string => {
  if (minItems === maxItems) return `must have ${minItems} items`;
  return length < minItems ? `must have at least ${minItems}` : `must have at most ${maxItems}`;
};

const checkList = (schema: Keywords): Check => {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const checkItem = compileCheck(schema.items ?? {});
  return (value, at, report) => {
    if (!Array.isArray(value)) return refuse(at, report, 'wrong_type', 'must be a list');
    if (value.length < minItems || value.length > maxItems) {
      return refuse(at, report, 'out_of_range', lengthWords(minItems, maxItems, value.length));
    }
    let isSound = true;
    for (let place = 0; place < value.length; place++) {
      at.push(place);
      value[place] = checkItem(value[place], at, report);
      isSound &&= value[place] !== undefined;
      at.pop();
    }
    return isSound ? value : undefined;
  };
};

const checkObject = (schema: Keywords): Check => {
  const { properties } = schema;
  if (!properties) {
    return (value, at, report) =>
      isJsonObject(value) ? value : refuse(at, report, 'wrong_type', 'must be an object');
  }
  const required = new Set(schema.required);
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    check: compileCheck(field),
    standard: defaultOf(field),
    isRequired: required.has(name),
  }));
  return (value, at, report) => {
    if (!isJsonObject(value)) return refuse(at, report, 'wrong_type', 'must be an object');
    let isSound = true;
    for (const name in value) {
      if (Object.hasOwn(properties, name)) continue;
      isSound = false;
      report([...at, name], 'unknown_field', 'is not a known field');
    }
    for (const { name, check, standard, isRequired } of fields) {
      at.push(name);
      if (Object.hasOwn(value, name)) {
        const checked = check(value[name], at, report);
        if (checked === undefined) isSound = false;
        else value[name] = checked;
      } else if (standard !== undefined) {
        value[name] = structuredClone(standard);
      } else if (isRequired) {
        isSound = false;
        report(at, 'missing_field', 'is required');
      }
      at.pop();
    }
    return isSound ? value : undefined;
  };
};

/** The values by which a form is told from others: those of nested forms together. */
const markOf = (form: Keywords, field: string): readonly string[] =>
  form.properties?.[field]?.enum ?? form.anyOf?.flatMap((inner) => markOf(inner, field)) ?? [];

const checkVariants = (forms: readonly Keywords[], field: string): Check => {
  const checks = new Map<unknown, Check>();
  for (const form of forms) {
    const check = compileCheck(form);
    for (const mark of markOf(form, field)) checks.set(mark, check);
  }
  const flaw = `must be ${checks.size === 1 ? '' : 'one of '}${[...checks.keys()].join(', ')}`;
  return (value, at, report) => {
    if (!isJsonObject(value)) return refuse(at, report, 'wrong_type', 'must be an object');
    if (!Object.hasOwn(value, field)) {
      return refuse([...at, field], report, 'missing_field', 'is required');
    }
    const check = checks.get(value[field]);
    if (!check) return refuse([...at, field], report, 'invalid_choice', flaw);
    return check(value, at, report);
  };
};

/** A number or a text: which of them it is decides by what it is judged. */
const checkNumberOrText = (forms: readonly Keywords[]): Check => {
  const [asNumber, asText] = ['integer', 'string'].map((type) =>
    compileCheck(forms.find((form) => form.type === type) ?? {}),
  );
  return (value, at, report) =>
    (typeof value === 'string' ? asText : asNumber)?.(value, at, report);
};

/**
 * Makes a check of a schema, which looks at a value once, reports everything that is wrong with it
 * and fills its defaults in.
 */
export const compileCheck = (schema: Keywords): Check => {
  if (schema.anyOf) {
    const field = schema['x-variant'];
    return field === undefined
      ? checkNumberOrText(schema.anyOf)
      : checkVariants(schema.anyOf, field);
  }
  if (schema.enum) return checkChoice(schema);
  switch (schema.type) {
    case 'string':
      return checkText(schema);
    case 'integer':
    case 'number':
      return checkNumber(schema);
    case 'boolean':
      return checkFlag();
    case 'array':
      return checkList(schema);
    case 'object':
      return checkObject(schema);
    default:
      return (value) => value;
  }
};
