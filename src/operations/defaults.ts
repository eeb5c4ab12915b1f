import {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
} from 'typebox';

export type TDefaulted<S extends TSchema = TSchema> = TOptional<S> & {
  readonly default: Static<S>;
};

export const withDefault = <S extends TSchema>(schema: S, value: Static<S>): TDefaulted<S> =>
  Object.assign(Type.Optional(schema), { default: value }) as TDefaulted<S>;

type DefaultedKeys<P extends TProperties> = {
  [K in keyof P]: P[K] extends TDefaulted ? K : never;
}[keyof P];

export type FilledArguments<P extends TProperties> = Static<TObject<P>> &
  Required<Pick<Static<TObject<P>>, DefaultedKeys<P> & keyof Static<TObject<P>>>>;

export const defaultsOf = (parameters: TObject): Record<string, unknown> => {
  const filled: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(parameters.properties)) {
    if ('default' in schema) filled[name] = schema.default;
  }
  return filled;
};
