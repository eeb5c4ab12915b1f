import { fieldPath, type PathSegment } from '../json/field-path.ts';
import { isJsonObject } from '../json/json-value.ts';
import { type JsonSchema, nameOfReference, type Schemas, shapeOf } from './json-schema.ts';
import { hexOr, typePhrase } from './schema-text.ts';

/** The violated rule: a JSON Schema keyword, or one of ours. */
export type Rule =
  | 'type'
  | 'enum'
  | 'pattern'
  | `${'min' | 'max'}${'imum' | 'Length' | 'Items' | 'Properties'}`
  | 'missing'
  | 'unknown_field'
  /** The integer exceeds the exact range of a double. */
  | 'exact';

/** Receives each problem. The message continues after the field name. */
export type ReportProblem = (
  at: readonly PathSegment[],
  rule: Rule,
  message: string,
  schema: JsonSchema,
) => void;

/** Checks a value and returns it, with defaults if requested; undefined if it is invalid. */
export type Check = (value: unknown, at: PathSegment[], report: ReportProblem) => unknown;

interface CheckOptions {
  readonly schemas?: Schemas;
  readonly fillDefaults?: boolean;
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`;

const hasTypeOf = (branch: JsonSchema, value: unknown): boolean => {
  const shape = shapeOf(branch);
  switch (shape.kind) {
    case 'choice':
      return typeof value === typeof shape.values[0];
    case 'list':
      return Array.isArray(value);
    case 'object':
    case 'map':
      return isJsonObject(value);
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'null':
      return value === null;
    case 'string':
    case 'boolean':
      return typeof value === shape.kind;
    default:
      return true;
  }
};

/** Discriminator values of a variant, including nested variants. */
export const marksOf = (form: JsonSchema, field: string): readonly unknown[] =>
  form.properties?.[field]?.enum ?? form.anyOf?.flatMap((inner) => marksOf(inner, field)) ?? [];

class Compiler {
  readonly #schemas: Schemas;
  readonly #fillsDefaults: boolean;
  readonly #byName = new Map<string, Check>();

  constructor({ schemas = {}, fillDefaults = false }: CheckOptions) {
    this.#schemas = schemas;
    this.#fillsDefaults = fillDefaults;
  }

  compile(schema: JsonSchema): Check {
    const shape = shapeOf(schema);
    switch (shape.kind) {
      case 'reference':
        return this.#reference(nameOfReference(schema.$ref ?? ''));
      case 'choice':
        return this.#choice(schema, shape.values);
      case 'union':
        return schema['x-variant'] === undefined
          ? this.#union(schema, shape.branches)
          : this.#variants(schema, shape.branches, schema['x-variant']);
      case 'list':
        return this.#list(schema, shape.items);
      case 'object':
      case 'map':
        return this.#object(schema);
      case 'string':
        return this.#text(schema);
      case 'integer':
      case 'number':
        return this.#number(schema);
      case 'boolean':
      case 'null':
        return this.#typed(schema);
      default:
        return schema.required ? this.#object(schema) : (value) => value;
    }
  }

  /** References compile on first use, because schemas can contain themselves. */
  #reference(name: string): Check {
    return (value, at, report) => {
      let check = this.#byName.get(name);
      if (!check) {
        const target = Object.hasOwn(this.#schemas, name) ? this.#schemas[name] : undefined;
        check = this.compile(target ?? {});
        this.#byName.set(name, check);
      }
      return check(value, at, report);
    };
  }

  #typed(schema: JsonSchema): Check {
    const message = `must be ${typePhrase(schema)}`;
    return (value, at, report) =>
      hasTypeOf(schema, value) ? value : void report(at, 'type', message, schema);
  }

  #choice(schema: JsonSchema, values: readonly unknown[]): Check {
    const message = oneOf(values);
    return (value, at, report) =>
      values.includes(value) ? value : void report(at, 'enum', message, schema);
  }

  #text(schema: JsonSchema): Check {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
    const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
    const form = schema['x-form'] ? `must be ${schema['x-form']}` : `must match ${schema.pattern}`;
    const rule = schema['x-rule'] ?? form;
    const tooShort =
      minLength === 1
        ? 'must not be empty'
        : `must have at least ${counted(minLength, 'character')}`;
    return (value, at, report) => {
      if (typeof value !== 'string') return void report(at, 'type', 'must be text', schema);
      if (value.length < minLength) return void report(at, 'minLength', tooShort, schema);
      if (value.length > maxLength && [...value].length > maxLength) {
        const message = `must have at most ${counted(maxLength, 'character')}`;
        return void report(at, 'maxLength', message, schema);
      }
      if (pattern && !pattern.test(value)) return void report(at, 'pattern', rule, schema);
      return value;
    };
  }

  #number(schema: JsonSchema): Check {
    const isInteger = schema.type === 'integer';
    const limit = isInteger ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY;
    const { minimum = -limit, maximum = limit } = schema;
    const typeMessage = `must be ${typePhrase(schema)}`;
    const limitMessages =
      minimum === maximum
        ? ([`must be ${minimum}`, `must be ${minimum}`] as const)
        : ([
            `must be at least ${hexOr(schema, minimum)}`,
            `must be at most ${hexOr(schema, maximum)}`,
          ] as const);
    return (given, at, report) => {
      const value = typeof given === 'bigint' ? Number(given) : given;
      const isNumber = isInteger ? Number.isInteger(value) : Number.isFinite(value);
      if (!isNumber) return void report(at, 'type', typeMessage, schema);
      const number = value as number;
      if (number < minimum) return void report(at, 'minimum', limitMessages[0], schema);
      if (number > maximum) return void report(at, 'maximum', limitMessages[1], schema);
      if (typeof given === 'bigint' && BigInt(number) !== given) {
        const message = 'must be an integer that a double represents exactly';
        return void report(at, 'exact', message, schema);
      }
      return number;
    };
  }

  #list(schema: JsonSchema, items: JsonSchema): Check {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    const checkItem = this.compile(items);
    const fills = this.#fillsDefaults;
    return (value, at, report) => {
      if (!Array.isArray(value)) return void report(at, 'type', 'must be a list', schema);
      if (value.length < minItems || value.length > maxItems) {
        const isShort = value.length < minItems;
        const size = isShort
          ? `at least ${counted(minItems, 'item')}`
          : `at most ${counted(maxItems, 'item')}`;
        const message = minItems === maxItems ? counted(minItems, 'item') : size;
        return void report(at, isShort ? 'minItems' : 'maxItems', `must have ${message}`, schema);
      }
      let isValid = true;
      for (let index = 0; index < value.length; index++) {
        at.push(index);
        const checked = checkItem(value[index], at, report);
        isValid &&= checked !== undefined;
        if (fills) value[index] = checked;
        at.pop();
      }
      return isValid ? value : undefined;
    };
  }

  #object(schema: JsonSchema): Check {
    const { properties = {}, required = [], additionalProperties: others = true } = schema;
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
    const names = new Set([...Object.keys(properties), ...required]);
    const fields = Array.from(names, (name) => {
      const field = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
      return {
        name,
        check: this.compile(field),
        default: field.default,
        isRequired: required.includes(name),
      };
    });
    const patterns = Object.entries(schema.patternProperties ?? {}).map(
      ([pattern, inner]) => [new RegExp(pattern, 'u'), this.compile(inner)] as const,
    );
    const checkOther = typeof others === 'object' ? this.compile(others) : undefined;
    const checkGroups = schema.anyOf && this.#union({}, schema.anyOf);
    const fills = this.#fillsDefaults;

    const checkFurther = (value: unknown, at: PathSegment[], report: ReportProblem): boolean => {
      const name = String(at.at(-1));
      const [, check = checkOther] = patterns.find(([pattern]) => pattern.test(name)) ?? [];
      if (check) return check(value, at, report) !== undefined;
      if (others !== false) return true;
      report(at, 'unknown_field', 'is not a known field', schema);
      return false;
    };

    return (value, at, report) => {
      if (!isJsonObject(value)) {
        if (schema.type === undefined) return value;
        return void report(at, 'type', 'must be an object', schema);
      }
      let isValid = true;
      let size = 0;
      for (const name in value) {
        if (value[name] === undefined) continue;
        size += 1;
        if (Object.hasOwn(properties, name)) continue;
        at.push(name);
        if (!checkFurther(value[name], at, report)) isValid = false;
        at.pop();
      }
      if (size < minProperties || size > maxProperties) {
        const isSmall = size < minProperties;
        const message = isSmall
          ? `must have at least ${counted(minProperties, 'field')}`
          : `must have at most ${counted(maxProperties, 'field')}`;
        return void report(at, isSmall ? 'minProperties' : 'maxProperties', message, schema);
      }
      for (const { name, check, default: standard, isRequired } of fields) {
        at.push(name);
        if (Object.hasOwn(value, name) && value[name] !== undefined) {
          const checked = check(value[name], at, report);
          if (checked === undefined) isValid = false;
          else if (fills) value[name] = checked;
        } else if (standard !== undefined) {
          if (fills) value[name] = structuredClone(standard);
        } else if (isRequired) {
          isValid = false;
          report(at, 'missing', 'is required', schema);
        }
        at.pop();
      }
      if (checkGroups && checkGroups(value, at, report) === undefined) return undefined;
      return isValid ? value : undefined;
    };
  }

  #variants(schema: JsonSchema, forms: readonly JsonSchema[], field: string): Check {
    const checks = new Map<unknown, Check>();
    for (const form of forms) {
      const check = this.compile(form);
      for (const mark of marksOf(form, field)) checks.set(mark, check);
    }
    const message = oneOf([...checks.keys()]);
    return (value, at, report) => {
      if (!isJsonObject(value)) return void report(at, 'type', 'must be an object', schema);
      if (!Object.hasOwn(value, field)) {
        return void report([...at, field], 'missing', 'is required', schema);
      }
      const check = checks.get(value[field]);
      if (!check) return void report([...at, field], 'enum', message, schema);
      return check(value, at, report);
    };
  }

  #union(schema: JsonSchema, branches: readonly JsonSchema[]): Check {
    const forms = branches.map((branch) => ({ branch, check: this.compile(branch) }));
    const form = schema['x-form'];
    const message = `must be ${form ?? [...new Set(branches.map((each) => typePhrase(each)))].join(' or ')}`;
    return (value, at, report) => {
      let nearest: Parameters<ReportProblem>[] | undefined;
      let sameType = 0;
      for (const { branch, check } of forms) {
        if (!hasTypeOf(branch, value)) continue;
        sameType += 1;
        const problems: Parameters<ReportProblem>[] = [];
        const checked = check(value, at, (path, ...problem) =>
          problems.push([[...path], ...problem]),
        );
        if (problems.length === 0) return checked;
        nearest ??= problems;
      }
      const [first] = nearest ?? [];
      // A form describes the value as a whole, not a mistake inside the only branch of its type.
      const isInside = first !== undefined && first[0].length > at.length && sameType === 1;
      const isNamed = first && (form === undefined || isInside);
      if (isNamed) for (const problem of nearest ?? []) report(...problem);
      else report(at, first?.[1] ?? 'type', message, schema);
      return undefined;
    };
  }
}

export const compileCheck = (schema: JsonSchema, options: CheckOptions = {}): Check =>
  new Compiler(options).compile(schema);

export interface SchemaProblem {
  readonly field: string;
  readonly rule: Rule;
  readonly message: string;
  readonly schema: JsonSchema;
}

/** Lists all schema violations of a value. An undefined field counts as omitted. */
export const problemsOf = (
  schema: JsonSchema,
  value: unknown,
  schemas: Schemas = {},
): SchemaProblem[] => {
  const problems: SchemaProblem[] = [];
  compileCheck(schema, { schemas })(value, [], (at, rule, message, broken) =>
    problems.push({ field: fieldPath(at), rule, message, schema: broken }),
  );
  return problems;
};
