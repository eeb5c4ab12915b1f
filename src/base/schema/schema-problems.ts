import type { TSchema } from 'typebox';
import { Settings } from 'typebox/system';
import { Errors } from 'typebox/value';
import { fieldPath, type PathSegment } from '../json/field-path.ts';

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

type SchemaError = ReturnType<typeof Errors>[number];

/** Enough to repair a file; bounds the answer. */
export const maxProblems = 200;

/** Path of a JSON pointer; only the document tells an index from a key. */
const segmentsOf = (pointer: string, document: unknown): PathSegment[] => {
  const segments: PathSegment[] = [];
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    segments.push(Array.isArray(value) ? Number(key) : key);
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return segments;
};

/** A problem whose message follows the field name. */
export const problemAt = (segments: readonly PathSegment[], words: string): FieldProblem => {
  const field = fieldPath(segments);
  return { field, message: `${field === '' ? 'The file' : field} ${words}` };
};

const describe = (error: SchemaError, at: readonly PathSegment[]): FieldProblem[] => {
  const parameters = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'boolean':
      return [problemAt(at, 'is not a known field')];
    // Its fields are reported one by one.
    case 'additionalProperties':
      return [];
    case 'required':
      return (parameters.requiredProperties as string[]).map((name) =>
        problemAt([...at, name], 'is required'),
      );
    case 'enum':
      return [
        problemAt(at, `must be one of ${(parameters.allowedValues as unknown[]).join(', ')}`),
      ];
    default:
      return [problemAt(at, error.message)];
  }
};

/** The library stops after a few errors unless configured for the whole thread. */
const allErrors = (schema: TSchema, value: unknown): SchemaError[] => {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: maxProblems });
  try {
    return Errors(schema, value);
  } finally {
    Settings.Set({ maxErrors });
  }
};

/** All violations of a schema; `at` is the position of the value in its file. */
export const schemaProblems = (
  schema: TSchema,
  value: unknown,
  at: readonly PathSegment[] = [],
): FieldProblem[] =>
  allErrors(schema, value).flatMap((error) =>
    describe(error, [...at, ...segmentsOf(error.instancePath, value)]),
  );
