import { type TEnum, type TObject, type TProperties, type TSchema, Type } from 'typebox';

export interface Described {
  readonly description: string;
}

/** A rule with a description that an error message uses instead of the pattern. */
export interface TextRule extends Described {
  readonly pattern: string;
  readonly 'x-rule': string;
  readonly maxLength?: number;
  readonly default?: string;
}

export const ruledText = (rule: TextRule) => Type.String({ ...rule });

export const integerText = (description: string) =>
  ruledText({
    description,
    pattern: '^-?(0|[1-9][0-9]*)$',
    maxLength: 40,
    'x-rule': 'must be a whole number in quotes, such as "255"',
  });

export const hexText = (description: string) =>
  ruledText({
    description,
    pattern: '^(0x)?[0-9A-Fa-f]{1,16}$',
    'x-rule': 'must be 1 to 16 hexadecimal digits in quotes, such as "1D"',
  });

export const hexBytes = (description: string) =>
  ruledText({
    description,
    pattern: '^([0-9A-Fa-f]{2})+$',
    maxLength: 256,
    'x-rule': 'must be bytes of two hexadecimal digits each in quotes, such as "00A5"',
  });

export interface Defaulted<Value> {
  readonly default?: Value;
}

export const integer = (
  description: string,
  minimum: number,
  maximum: number,
  options: Defaulted<number> = {},
) => Type.Integer({ description, minimum, maximum, ...options });

export const choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
  options: Defaulted<Values[number]> = {},
): TEnum<[...Values]> => Type.Enum<[...Values]>([...values], { description, ...options });

export const flag = (description: string, options: Defaulted<boolean> = {}) =>
  Type.Boolean({ description, ...options });

export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

export const record = <P extends TProperties>(
  fields: P,
  options: Described | Record<never, never> = {},
): TObject<P> => Type.Object(fields, { additionalProperties: false, ...options });

export const variants = <const V extends TSchema[]>(
  field: string,
  forms: readonly [...V],
  options: Partial<Described> & { readonly default?: unknown } = {},
) => Type.Union([...forms] as [...V], { 'x-variant': field, ...options });
