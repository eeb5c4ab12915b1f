import { invalidArgument } from '../../base/errors/busbar-error.ts';
import { type DataTable, tableOfDigit, tableRows } from './data-tables.ts';
import { addressSpace } from './function-codes.ts';

export interface ItemAddress {
  readonly table: DataTable;
  readonly address: number;
}

const lastShortNumber = 9999;

const shape = /^([0134])(\d{4,5})$/;

/**
 * Parses `40101`, `400101` or `000001`: one digit for the table, then a number from 1.
 * References are strings because coil references start with zeros.
 */
export const parseReference = (reference: string, table?: DataTable): ItemAddress => {
  const [, digit = '', number] = shape.exec(reference) ?? [];
  const named = tableOfDigit(digit);
  if (named === undefined) {
    throw invalidArgument(
      'reference',
      'A reference is 0, 1, 3 or 4 and a number of four or five digits, such as 40001 or 400001',
      { reason: 'malformed' },
    );
  }
  const address = Number(number) - 1;
  if (address < 0 || address >= addressSpace) {
    throw invalidArgument('reference', `The number in a reference is from 1 to ${addressSpace}`, {
      reason: 'range',
    });
  }
  if (table !== undefined && table !== named) {
    throw invalidArgument('reference', `${reference} is in the table ${named}, not in ${table}`, {
      reason: 'other_table',
      table: named,
    });
  }
  return { table: named, address };
};

/**
 * Reference of an item as in manuals. The short form has five digits, or six above 9999; the
 * long form always has six.
 */
export const formatReference = (
  { table, address }: ItemAddress,
  form: 'short' | 'long' = 'short',
): string => {
  const number = address + 1;
  const digits = form === 'short' && number <= lastShortNumber ? 4 : 5;
  return tableRows[table].digit + String(number).padStart(digits, '0');
};
