import { Compile, type Validator } from 'typebox/compile';
import { type BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import type { Operation } from './define.ts';

type Problem = ReturnType<Validator['Errors']>[number];

const compiled = new WeakMap<Operation, Validator>();

const validatorOf = (operation: Operation): Validator => {
  let validator = compiled.get(operation);
  if (!validator) {
    validator = Compile(operation.parameters) as unknown as Validator;
    compiled.set(operation, validator);
  }
  return validator;
};

/** `/a/0/b` as `a[0].b`. */
const fieldOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => {
      if (/^[0-9]+$/.test(part)) return `${path}[${part}]`;
      return path === '' ? part : `${path}.${part}`;
    }, '');

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** What a text that must match a pattern looks like, in words, where the declaration says so. */
const formOf = (operation: Operation, field: string): string | undefined =>
  (operation.parameters.properties[field] as { 'x-form'?: string } | undefined)?.['x-form'];

const refusal = (operation: Operation, problem: Problem): BusbarError => {
  const field = fieldOf(problem.instancePath);
  const form = problem.keyword === 'pattern' ? formOf(operation, field) : undefined;
  if (form) return invalidArgument(field, `${field} must be ${form}`, { reason: 'pattern' });
  const parameters = problem.params as Record<string, unknown>;
  switch (problem.keyword) {
    case 'boolean':
      return invalidArgument(field, `${field} is not a known field`, { reason: 'unknown_field' });
    case 'required': {
      const missing = join(field, (parameters.requiredProperties as string[])[0] ?? '');
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

/** Refuses arguments that do not fit the operation's declaration, naming the first wrong field. */
export const validateArguments = (operation: Operation, input: unknown): void => {
  const validator = validatorOf(operation);
  if (validator.Check(input)) return;
  const problem = validator.Errors(input)[0];
  throw problem ? refusal(operation, problem) : invalidArgument('', 'The arguments are not valid');
};
