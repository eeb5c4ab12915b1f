import { parquetTable } from './parquet/parquet-table.ts';
import type { TableFormat, TableFormatParts } from './table-format.ts';
import { csvTable } from './text/csv-table.ts';
import { jsonlTable } from './text/jsonl-table.ts';

export const tables: Readonly<Record<TableFormat, TableFormatParts>> = {
  csv: csvTable,
  jsonl: jsonlTable,
  parquet: parquetTable,
};
