import { Compile, type Validator } from 'typebox/compile';
import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { fieldPath, type PathSegment } from '../base/json/field-path.ts';
import { hasHttp, type Operation } from './define.ts';
import { httpSchemaOf } from './http-parameters.ts';

/** Where a call comes from. */
export type Face = 'cli' | 'http';

type Problem = ReturnType<Validator['Errors']>[number];

const compiled = new WeakMap<object, Validator>();

/** The validator of something that is declared once, compiled when it is needed first. */
const validatorOf = (declared: object, schemaOf: () => object): Validator => {
  let validator = compiled.get(declared);
  if (!validator) {
    validator = Compile(schemaOf() as never) as unknown as Validator;
    compiled.set(declared, validator);
  }
  return validator;
};

/** The place that a JSON pointer names in the input; only the input tells an index from a key. */
const segmentsOf = (pointer: string, input: unknown): PathSegment[] => {
  const segments: PathSegment[] = [];
  let value = input;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    segments.push(Array.isArray(value) ? Number(key) : key);
    value = (value as Record<string, unknown> | undefined)?.[key];
  }
  return segments;
};

/** As much of a schema as refusals of a field need. */
interface FieldSchema {
  /** What the value looks like, in words. */
  readonly 'x-form'?: string;
  readonly anyOf?: readonly FieldSchema[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

const schemaOf = ({ parameters }: Operation, path: readonly PathSegment[]) =>
  path.reduce<FieldSchema | undefined>(
    (schema, segment) =>
      typeof segment === 'number' ? schema?.items : schema?.properties?.[segment],
    parameters as FieldSchema,
  );

/** What all kinds of value that a field takes look like, in words, where the declaration says so. */
const formOf = (schema: FieldSchema | undefined, keyword: string): string | undefined =>
  keyword === 'pattern' || schema?.anyOf ? schema?.['x-form'] : undefined;

/** Which rule was broken: of a field that takes several kinds, one of the kind that was given. */
const ruleBroken = (problems: readonly Problem[], first: Problem): Problem =>
  problems.find(
    ({ instancePath, keyword }) =>
      instancePath === first.instancePath && keyword !== 'type' && keyword !== 'anyOf',
  ) ?? first;

const refusal = (
  operation: Operation,
  first: Problem,
  problems: readonly Problem[],
  input: unknown,
): BusbarError => {
  const segments = segmentsOf(first.instancePath, input);
  const field = fieldPath(segments);
  const schema = schemaOf(operation, segments);
  const problem = schema?.anyOf ? ruleBroken(problems, first) : first;
  const form = formOf(schema, problem.keyword);
  if (form) return invalidArgument(field, `${field} must be ${form}`, { reason: problem.keyword });
  const parameters = problem.params as Record<string, unknown>;
  switch (problem.keyword) {
    case 'boolean':
      return invalidArgument(field, `${field} is not a known field`, { reason: 'unknown_field' });
    case 'required': {
      const [name = ''] = parameters.requiredProperties as string[];
      const missing = fieldPath([...segments, name]);
      return invalidArgument(missing, `${missing} is required`, { reason: 'missing' });
    }
    case 'enum': {
      const allowed = parameters.allowedValues as unknown[];
      return invalidArgument(field, `${field} must be one of ${allowed.join(', ')}`, {
        reason: 'enum',
        allowed,
      });
    }
    default: {
      const subject = field === '' ? 'The request' : field;
      return invalidArgument(field, `${subject} ${problem.message}`, { reason: problem.keyword });
    }
  }
};

const check = (operation: Operation, validator: Validator, input: unknown): void => {
  if (validator.Check(input)) return;
  const problems = validator.Errors(input);
  const [first] = problems;
  throw first
    ? refusal(operation, first, problems, input)
    : invalidArgument('', 'Invalid arguments');
};

/** Refuses arguments that do not fit the declaration of an operation, and names the first wrong field. */
export const validateArguments = (operation: Operation, input: unknown): void =>
  check(
    operation,
    validatorOf(operation, () => operation.parameters),
    input,
  );

/**
 * Refuses what a face does not accept: over HTTP, arguments that do not fit the OpenAPI document; from a command, those
 * that do not fit the declaration or that the command keeps to itself.
 */
export function checkArguments(
  operation: Operation,
  input: unknown,
  face: Face,
): asserts input is object {
  const { http, cli } = operation;
  if (face === 'http' && hasHttp(http)) {
    const validator = validatorOf(http, () => httpSchemaOf(operation, http));
    check(operation, validator, input);
    return;
  }
  validateArguments(operation, input);
  const local = cli?.local?.find((name) => Object.hasOwn(input as object, name));
  if (local === undefined) return;
  throw invalidArgument(local, `${local} is not a known field`, { reason: 'unknown_field' });
}
