import { type Static, type TSchema, Type } from 'typebox';

/** Gives a schema a name of its own among the components of the OpenAPI document. */
export const named = <S extends TSchema>(name: string, schema: S): S => ({ ...schema, $id: name });

type Unchangeable<T> = T extends object ? { readonly [K in keyof T]: Unchangeable<T[K]> } : T;

/** What a schema describes, as it is handed out: not to be changed by those who get it. */
export type RecordOf<S extends TSchema> = Unchangeable<Static<S>>;

export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

/**
 * Codes that a record contains, with what each means: a type with a name in the API document, and a table
 * of the error reference.
 */
export const recordCodes = <const Code extends string>(
  name: string,
  meanings: Readonly<Record<Code, string>>,
) => named(name, Type.Enum(Object.keys(meanings) as Code[], { 'x-codes': meanings }));

/** How many there are, or were so far. */
export const counted = (description: string) => Type.Integer({ minimum: 0, description });
