import type { TSchema } from 'typebox';
import type { PathSegment } from '../../base/json/field-path.ts';
import {
  compileCheck as compileSchemaCheck,
  marksOf,
  type Rule,
} from '../../base/json-schema/check-value.ts';
import type { JsonSchema } from '../../base/json-schema/json-schema.ts';
import type { ProblemCode } from './problems.ts';

type ShapeReport = (at: readonly PathSegment[], code: ProblemCode, message: string) => void;

/** Returns the JSON Schema keywords, which TypeBox omits from its types. */
export const keywordsOf = (schema: TSchema): JsonSchema => schema as unknown as JsonSchema;

export const formOf = (schema: JsonSchema, value: unknown): JsonSchema => {
  const field = schema['x-variant'];
  if (field === undefined || !schema.anyOf) return schema;
  const mark = (value as Record<string, unknown>)[field];
  const form = schema.anyOf.find((candidate) => marksOf(candidate, field).includes(mark));
  return form ? formOf(form, value) : schema;
};

/** Problem codes of rules. Other rules limit a size. */
const codes: Partial<Record<Rule, ProblemCode>> = {
  type: 'wrong_type',
  enum: 'invalid_choice',
  pattern: 'invalid_text',
  missing: 'missing_field',
  unknown_field: 'unknown_field',
  exact: 'inexact',
};

/** Compiles a check that reports every problem of a value and fills in its defaults. */
export const compileCheck = (schema: TSchema) => {
  const check = compileSchemaCheck(keywordsOf(schema), { fillDefaults: true });
  return (value: unknown, at: PathSegment[], report: ShapeReport): unknown =>
    check(value, at, (path, rule, message) => report(path, codes[rule] ?? 'out_of_range', message));
};
