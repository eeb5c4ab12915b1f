import { type Static, type TSchema, Type } from 'typebox';

export const named = <S extends TSchema>(name: string, schema: S): S => ({ ...schema, $id: name });

type Unchangeable<T> = T extends object ? { readonly [K in keyof T]: Unchangeable<T[K]> } : T;

export type RecordOf<S extends TSchema> = Unchangeable<Static<S>>;

export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

/**
 * Codes of a record with their descriptions: a named type in the OpenAPI document and a table
 * in the error reference.
 */
export const recordCodes = <const Code extends string>(
  name: string,
  meanings: Readonly<Record<Code, string>>,
) => named(name, Type.Enum(Object.keys(meanings) as Code[], { 'x-codes': meanings }));

export const counted = (description: string) => Type.Integer({ minimum: 0, description });
