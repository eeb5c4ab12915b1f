import type { TSchema } from 'typebox';
import { fieldPath, type PathSegment } from '../json/field-path.ts';
import { compileCheck } from '../json-schema/check-value.ts';
import type { JsonSchema } from '../json-schema/json-schema.ts';

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export const maxProblems = 200;

export const problemAt = (segments: readonly PathSegment[], words: string): FieldProblem => {
  const field = fieldPath(segments);
  return { field, message: `${field === '' ? 'The file' : field} ${words}` };
};

export const schemaProblems = (
  schema: TSchema,
  value: unknown,
  at: readonly PathSegment[] = [],
): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  compileCheck(schema as unknown as JsonSchema)(value, [...at], (path, _rule, message) => {
    if (problems.length < maxProblems) problems.push(problemAt(path, message));
  });
  return problems;
};
