import { type TEnum, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { valuePattern } from '../../base/decimal/decimal.ts';

/** Maximum of periods and timeouts, as in the API. */
export const maxMilliseconds = 4_294_967_295;

export const maxFrameBytes = 64;

/** Tables in the order in which a project is saved. */
export const tableNames = [
  'endpoints',
  'signals',
  'codecs',
  'messages',
  'pdus',
  'modbus_resources',
  'bindings',
  'mappings',
  'tx_tasks',
  'e2e',
  'fault_rules',
  'plugins',
] as const;

export type TableName = (typeof tableNames)[number];

interface Described {
  readonly description: string;
}

/** A rule with a description that an error message uses instead of the pattern. */
interface TextRule extends Described {
  readonly pattern: string;
  readonly 'x-rule': string;
  readonly maxLength?: number;
  readonly default?: string;
}

const ruledText = (rule: TextRule) => Type.String({ ...rule });

export const rowId = () =>
  Type.String({
    description: 'Name of the row, unique in its table',
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_./-]*$',
    minLength: 1,
    maxLength: 512,
    'x-rule': 'must be letters, digits and _ . - / and begin with a letter, a digit or _',
  });

export const reference = (table: TableName, description: string) =>
  Type.String({ description, minLength: 1, maxLength: 512, 'x-table': table });

export const references = (table: TableName, description: string) =>
  Type.Array(reference(table, `Id of a row of ${table}`), { description, minItems: 1 });

export const freeText = (description: string) => Type.String({ description, maxLength: 65_536 });

/** A string for a signal value or raw value, because JSON numbers are not exact. */
export const decimalText = (description: string, options: { readonly default?: string } = {}) =>
  ruledText({
    description,
    pattern: valuePattern,
    maxLength: 400,
    'x-rule': 'must be a decimal number in quotes, such as "780.5" or "-3"',
    ...options,
  });

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

interface Defaulted<Value> {
  readonly default?: Value;
}

export const parameter = (
  description: string,
  options: Defaulted<number> & { readonly minimum?: number; readonly maximum?: number } = {},
) => Type.Number({ description, ...options });

export const integer = (
  description: string,
  minimum: number,
  maximum: number,
  options: Defaulted<number> = {},
) => Type.Integer({ description, minimum, maximum, ...options });

export const milliseconds = (
  description: string,
  { minimum = 0, ...options }: Defaulted<number> & { readonly minimum?: number } = {},
) => integer(description, minimum, maxMilliseconds, options);

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

const comment = { comment: optional(freeText('For people; kept when the project is saved')) };

/** A table row: its id comes first, its comment last. */
export const row = <P extends TProperties>(fields: P) =>
  record({ id: rowId(), ...fields, ...comment });
