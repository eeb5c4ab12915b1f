import type { HttpBinding, Operation } from './define.ts';

export type ParameterPlace = 'path' | 'query' | 'body';

const placeholder = /\{([a-z_]+)\}/g;

export const pathParameters = (path: string): readonly string[] =>
  [...path.matchAll(placeholder)].map((match) => match[1] ?? '');

/** Where the HTTP face finds a parameter: follows from the path template and the method. */
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

/** Whether only the command line has this parameter. */
export const isCliOnly = ({ cli }: Operation, parameter: string): boolean =>
  [...(cli?.only ?? []), ...(cli?.local ?? [])].includes(parameter);

/** Methods that a binding answers: HEAD comes with every GET but those that never end. */
export const methodsOf = ({ method, transport }: HttpBinding): readonly string[] =>
  method === 'GET' && transport === undefined ? ['GET', 'HEAD'] : [method];
