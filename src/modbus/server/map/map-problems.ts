import { BusbarError } from '../../../base/errors/busbar-error.ts';
import type { PathSegment } from '../../../base/json/field-path.ts';
import { type FieldProblem, problemAt } from '../../../base/schema/schema-problems.ts';
import type { DataTable } from '../../pdu/data-tables.ts';
import { addressSpace } from '../../pdu/function-codes.ts';
import { hexDigits } from '../../pdu/hex-values.ts';
import { type ItemAddress, parseReference } from '../../pdu/references.ts';

export class MapProblems {
  readonly all: FieldProblem[] = [];

  add(at: readonly PathSegment[], words: string): undefined {
    this.all.push(problemAt(at, words));
  }

  check<Result>(at: readonly PathSegment[], check: () => Result): Result | undefined {
    try {
      return check();
    } catch (thrown) {
      const { message } = BusbarError.from(thrown);
      return this.add(at, `is invalid: ${message}`);
    }
  }

  integer(
    at: readonly PathSegment[],
    value: unknown,
    lowest: number,
    highest: number,
  ): number | undefined {
    const digits = typeof value === 'string' ? hexDigits(value) : undefined;
    const number = digits === undefined ? value : Number.parseInt(digits, 16);
    const isWithin =
      typeof number === 'number' &&
      Number.isInteger(number) &&
      number >= lowest &&
      number <= highest;
    if (isWithin) return number;
    return this.add(
      at,
      `must be an integer from ${lowest} to ${highest}, or a string such as "0x1F"`,
    );
  }

  item(
    at: readonly PathSegment[],
    { address, reference }: { readonly address?: unknown; readonly reference?: string },
    table: DataTable | undefined,
  ): ItemAddress | undefined {
    if (reference !== undefined) {
      if (address !== undefined) {
        return this.add([...at, 'reference'], 'duplicates address: omit one of them');
      }
      return this.check([...at, 'reference'], () => parseReference(reference, table));
    }
    if (address === undefined) return this.add([...at, 'address'], 'is required');
    if (table === undefined) return this.add([...at, 'table'], 'is required with address');
    const number = this.integer([...at, 'address'], address, 0, addressSpace - 1);
    return number === undefined ? undefined : { table, address: number };
  }
}
