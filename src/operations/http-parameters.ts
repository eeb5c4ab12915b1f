import type { HttpBinding, Operation } from './define.ts';

export type ParameterPlace = 'path' | 'query' | 'body';

const placeholder = /\{([a-z_]+)\}/g;

export const pathParameters = (path: string): readonly string[] =>
  [...path.matchAll(placeholder)].map((match) => match[1] ?? '');

/** Place of an HTTP parameter, from path template and method. */
export const placeOf = (binding: HttpBinding, parameter: string): ParameterPlace => {
  if (pathParameters(binding.path).includes(parameter)) return 'path';
  return binding.method === 'GET' || binding.method === 'DELETE' ? 'query' : 'body';
};

export const parametersIn = (
  operation: Operation,
  binding: HttpBinding,
  place: ParameterPlace,
): readonly string[] =>
  Object.keys(operation.parameters.properties).filter(
    (name) => !isCliOnly(operation, name) && placeOf(binding, name) === place,
  );

/** Whether it is a parameter of the command line only. */
export const isCliOnly = ({ cli }: Operation, parameter: string): boolean =>
  [...(cli?.only ?? []), ...(cli?.local ?? [])].includes(parameter);

/** Methods of a binding: HEAD with every GET except streams. */
export const methodsOf = ({ method, transport }: HttpBinding): readonly string[] =>
  method === 'GET' && transport === undefined ? ['GET', 'HEAD'] : [method];
