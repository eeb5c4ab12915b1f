import type { HttpBinding, Operation } from './define.ts';
import { isCliOnly } from './http-parameters.ts';

/** What a request over HTTP says altogether, wherever in it. */
export interface HttpSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/**
 * The schema that requests are checked by, and that the OpenAPI document tells in parts: the
 * parameters without those of the command line, and with what a request cannot do without.
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
