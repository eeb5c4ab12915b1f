import { Type } from 'typebox';
import { counted, type RecordOf } from '../../base/schema/schemas.ts';
import { type TableName, tableNames } from './fields.ts';

const tableCounts = Object.fromEntries(tableNames.map((name) => [name, counted('Rows')])) as Record<
  TableName,
  ReturnType<typeof counted>
>;

/** How many rows of each table there are. */
export const rowCounts = (description: string) => Type.Object(tableCounts, { description });
export type RowCounts = RecordOf<ReturnType<typeof rowCounts>>;
