import type { HttpBinding, Operation } from './define.ts';

export type ParameterLocation = 'path' | 'query' | 'body';

const placeholder = /\{([a-z_]+)\}/g;

export const pathParameters = (path: string): readonly string[] =>
  [...path.matchAll(placeholder)].map((match) => match[1] ?? '');

/** Location of an HTTP parameter, from path template and method. */
export const placeOf = (binding: HttpBinding, parameter: string): ParameterLocation => {
  if (pathParameters(binding.path).includes(parameter)) return 'path';
  return binding.method === 'GET' || binding.method === 'DELETE' ? 'query' : 'body';
};

export const parametersIn = (
  operation: Operation,
  binding: HttpBinding,
  place: ParameterLocation,
): readonly string[] =>
  Object.keys(operation.parameters.properties).filter(
    (name) => !isCliOnly(operation, name) && placeOf(binding, name) === place,
  );

export const isCliOnly = ({ cli }: Operation, parameter: string): boolean =>
  [...(cli?.only ?? []), ...(cli?.local ?? [])].includes(parameter);

/** Methods of a binding. Every GET except streams also supports HEAD. */
export const methodsOf = ({ method, transport }: HttpBinding): readonly string[] =>
  method === 'GET' && transport === undefined ? ['GET', 'HEAD'] : [method];

interface HttpSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/**
 * The schema for checking requests, published in parts in the OpenAPI document. It excludes
 * command-line parameters and requires those that only HTTP requires.
 */
export const httpSchemaOf = (operation: Operation, { needs = [] }: HttpBinding): HttpSchema => {
  const { properties, required = [] } = operation.parameters;
  const names = Object.keys(properties).filter((name) => !isCliOnly(operation, name));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name] as object])),
    required: names.filter((name) => [...required, ...needs].includes(name)),
    additionalProperties: false,
  };
};
