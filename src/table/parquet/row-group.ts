import type { TablePart } from '../table-format.ts';
import { type ColumnChunk, chunkField, chunkFields } from './column-writer.ts';

/** Puts the description of column chunks into numbers, which cross threads without a copy. */
export const rowGroupOf = (
  bytes: Uint8Array<ArrayBuffer>,
  columns: readonly ColumnChunk[],
  rows: number,
): TablePart => {
  const chunks = new Float64Array(columns.length * chunkFields);
  columns.forEach((column, number) => {
    const at = number * chunkFields;
    chunks[at + chunkField.bytes] = column.bytes;
    chunks[at + chunkField.dictionaryBytes] = column.dictionaryBytes;
    chunks[at + chunkField.values] = column.values;
    chunks[at + chunkField.encoding] = column.encoding;
    chunks[at + chunkField.nulls] = column.nulls;
    chunks[at + chunkField.least] = column.least;
    chunks[at + chunkField.most] = column.most;
  });
  return { bytes, rows, chunks };
};
