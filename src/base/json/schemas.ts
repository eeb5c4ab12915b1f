import { type TSchema, Type } from 'typebox';

/** Gives a schema a name of its own among the components of the OpenAPI document. */
export const named = <S extends TSchema>(name: string, schema: S): S => ({ ...schema, $id: name });

export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

/** How many there are, or were so far. */
export const counted = (description: string) => Type.Integer({ minimum: 0, description });
