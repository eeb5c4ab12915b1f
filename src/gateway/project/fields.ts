import { type TProperties, Type } from 'typebox';
import { valuePattern } from '../../base/decimal/decimal.ts';
import {
  type Defaulted,
  integer,
  optional,
  record,
  ruledText,
} from '../../base/schema/field-schemas.ts';
import type { TableName } from './table-names.ts';

/** Maximum of periods and timeouts, as in the API. */
export const maxMilliseconds = 4_294_967_295;

export const maxFrameBytes = 64;

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

export const parameter = (
  description: string,
  options: Defaulted<number> & { readonly minimum?: number; readonly maximum?: number } = {},
) => Type.Number({ description, ...options });

export const milliseconds = (
  description: string,
  { minimum = 0, ...options }: Defaulted<number> & { readonly minimum?: number } = {},
) => integer(description, minimum, maxMilliseconds, options);

const comment = { comment: optional(freeText('For people; kept when the project is saved')) };

/** A table row: its id comes first, its comment last. */
export const row = <P extends TProperties>(fields: P) =>
  record({ id: rowId(), ...fields, ...comment });
