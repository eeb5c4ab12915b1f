import { Compile, type Validator } from 'typebox/compile';
import {
  type BusbarError,
  type ErrorDetails,
  invalidArgument,
} from '../base/errors/busbar-error.ts';
import { problemsOf, type SchemaProblem } from '../base/json-schema/check-value.ts';
import { hasHttp, type Operation } from './define.ts';
import { httpSchemaOf } from './http-parameters.ts';

export type Face = 'cli' | 'http';

interface Checker {
  readonly schema: object;
  readonly validator: Validator;
}

const checkers = new WeakMap<object, Checker>();

const checkerOf = (declared: object, schemaOf: () => object): Checker => {
  let checker = checkers.get(declared);
  if (!checker) {
    const schema = schemaOf();
    checker = { schema, validator: Compile(schema as never) as unknown as Validator };
    checkers.set(declared, checker);
  }
  return checker;
};

const refusal = ({ field, rule, message, schema }: SchemaProblem): BusbarError => {
  const details: ErrorDetails = { reason: rule, ...(rule === 'enum' && { allowed: schema.enum }) };
  return invalidArgument(field, `${field === '' ? 'The request' : field} ${message}`, details);
};

const check = ({ schema, validator }: Checker, input: unknown): void => {
  if (validator.Check(input)) return;
  const [first] = problemsOf(schema, input);
  throw first ? refusal(first) : invalidArgument('', 'Invalid arguments');
};

/** Rejects arguments that do not match the declaration; the error names the first invalid field. */
export const validateArguments = (operation: Operation, input: unknown): void =>
  check(
    checkerOf(operation, () => operation.parameters),
    input,
  );

/**
 * Rejects arguments that the interface does not accept: over HTTP those outside the OpenAPI
 * document, from a command those outside the declaration or that the command does not send.
 */
export function checkArguments(
  operation: Operation,
  input: unknown,
  face: Face,
): asserts input is object {
  const { http, cli } = operation;
  if (face === 'http' && hasHttp(http)) {
    check(
      checkerOf(http, () => httpSchemaOf(operation, http)),
      input,
    );
    return;
  }
  validateArguments(operation, input);
  const local = cli?.local?.find((name) => Object.hasOwn(input as object, name));
  if (local === undefined) return;
  throw invalidArgument(local, `${local} is not a known field`, { reason: 'unknown_field' });
}
