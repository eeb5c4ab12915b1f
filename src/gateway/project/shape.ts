import type { TSchema } from 'typebox';
import type { PathSegment } from '../../base/json/field-path.ts';
import { isJsonObject } from '../../base/json/json-value.ts';
import type { ProblemCode } from './problems.ts';

/** Called with each problem; its message continues after the name of the field. */
export type ShapeReport = (at: readonly PathSegment[], code: ProblemCode, error: string) => void;

/** Schema keywords used here. Typebox hides them behind the types it infers. */
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

/** The default of an omitted field; undefined if it has none. */
export const defaultOf = (schema: Keywords): unknown => schema.default;

/** The variant of a union that a value has. */
export const formOf = (schema: Keywords, value: unknown): Keywords => {
  const field = schema['x-variant'];
  if (field === undefined || !schema.anyOf) return schema;
  const mark = (value as Record<string, unknown>)[field];
  const form = schema.anyOf.find((candidate) => allows(candidate, field, mark));
  return form ? formOf(form, value) : schema;
};

/** Whether a variant has this value in the discriminating field. */
export const allows = (form: Keywords, field: string, mark: unknown): boolean =>
  form.properties?.[field]?.enum?.includes(mark as string) ??
  form.anyOf?.some((inner) => allows(inner, field, mark)) ??
  false;

/** Checks a value and returns it with its defaults; undefined if it is invalid. */
type Check = (value: unknown, at: PathSegment[], report: ShapeReport) => unknown;

const refuse = (
  at: PathSegment[],
  report: ShapeReport,
  code: ProblemCode,
  error: string,
): undefined => {
  report(at, code, error);
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
      const error = `must have at most ${maxLength} characters`;
      return refuse(at, report, 'out_of_range', error);
    }
    if (pattern && !pattern.test(value)) return refuse(at, report, 'invalid_text', rule);
    return value;
  };
};

const checkChoice = ({ enum: choices = [] }: Keywords): Check => {
  const error = `must be ${choices.length === 1 ? choices[0] : `one of ${choices.join(', ')}`}`;
  return (value, at, report) =>
    choices.includes(value as string) ? value : refuse(at, report, 'invalid_choice', error);
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
      const error = 'must be an integer that a double holds exactly';
      return refuse(at, report, 'inexact', error);
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

/** Discriminating values of a variant, including those of nested variants. */
const markOf = (form: Keywords, field: string): readonly string[] =>
  form.properties?.[field]?.enum ?? form.anyOf?.flatMap((inner) => markOf(inner, field)) ?? [];

const checkVariants = (forms: readonly Keywords[], field: string): Check => {
  const checks = new Map<unknown, Check>();
  for (const form of forms) {
    const check = compileCheck(form);
    for (const mark of markOf(form, field)) checks.set(mark, check);
  }
  const error = `must be ${checks.size === 1 ? '' : 'one of '}${[...checks.keys()].join(', ')}`;
  return (value, at, report) => {
    if (!isJsonObject(value)) return refuse(at, report, 'wrong_type', 'must be an object');
    if (!Object.hasOwn(value, field)) {
      return refuse([...at, field], report, 'missing_field', 'is required');
    }
    const check = checks.get(value[field]);
    if (!check) return refuse([...at, field], report, 'invalid_choice', error);
    return check(value, at, report);
  };
};

/** A number or a text: the type of the value selects the schema. */
const checkNumberOrText = (forms: readonly Keywords[]): Check => {
  const [asNumber, asText] = ['integer', 'string'].map((type) =>
    compileCheck(forms.find((form) => form.type === type) ?? {}),
  );
  return (value, at, report) =>
    (typeof value === 'string' ? asText : asNumber)?.(value, at, report);
};

/**
 * Compiles a schema into a check that reports every problem of a value and fills in its
 * defaults.
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
