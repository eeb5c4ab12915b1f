import { invalidArgument } from '../../base/errors/busbar-error.ts';
import type { HttpBinding, Operation } from '../../operations/define.ts';
import { parametersIn } from '../../operations/http-parameters.ts';
import { type TextSchema, valueOfText } from '../../operations/text-arguments.ts';
import { queryFields } from './request-target.ts';

interface Incoming {
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const schemaOf = (operation: Operation, name: string): TextSchema =>
  operation.parameters.properties[name] as TextSchema;

const fromQuery = (
  operation: Operation,
  binding: HttpBinding,
  target: string,
): Record<string, unknown> => {
  const known = parametersIn(operation, binding, 'query');
  const values: Record<string, unknown> = {};
  for (const [name, text] of queryFields(target)) {
    if (!known.includes(name)) {
      throw invalidArgument(name, `${name} is not a known query parameter`, {
        reason: 'unknown_field',
      });
    }
    const schema = schemaOf(operation, name);
    if (schema.type === 'array') {
      values[name] ??= [];
      (values[name] as unknown[]).push(valueOfText(schema.items ?? {}, name, text));
      continue;
    }
    if (Object.hasOwn(values, name)) {
      throw invalidArgument(name, `${name} is given more than once`, { reason: 'duplicate_key' });
    }
    values[name] = valueOfText(schema, name, text);
  }
  return values;
};

const fromBody = (operation: Operation, binding: HttpBinding, body: unknown): object => {
  if (body === undefined) return {};
  // Many clients cannot post without an object: an empty one says nothing, and does no harm.
  if (binding.method !== 'POST' && parametersIn(operation, binding, 'body').length === 0) {
    throw invalidArgument('', 'This request takes no body');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidArgument('', 'The body must be a JSON object', { reason: 'type' });
  }
  const inPath = parametersIn(operation, binding, 'path').find((name) => Object.hasOwn(body, name));
  if (inPath !== undefined) {
    throw invalidArgument(inPath, `${inPath} belongs in the path`, { reason: 'unknown_field' });
  }
  return body;
};

const fromPath = (operation: Operation, params: Incoming['params']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, text]) => [
      name,
      valueOfText(schemaOf(operation, name), name, text),
    ]),
  );

/** The arguments of an operation from path, query and body of a request. Only their syntax is checked here. */
export const argumentsOf = (
  operation: Operation,
  binding: HttpBinding,
  incoming: Incoming,
): object => ({
  ...fromQuery(operation, binding, incoming.target),
  ...fromBody(operation, binding, incoming.body),
  ...fromPath(operation, incoming.params),
});
