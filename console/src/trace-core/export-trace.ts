import { AscWriter } from '../../../src/trace/asc/asc-writer.ts';
import { CandumpWriter } from '../../../src/trace/candump/candump-writer.ts';
import type { RowPlace } from './chunk-view.ts';
import { csvWriter } from './csv-writer.ts';
import { fileWriter } from './file-writer.ts';
import { gapKind } from './frame-chunk.ts';
import type { ExportContext, TraceWriter } from './trace-writer.ts';

export const exportFormats = {
  candump: { label: 'candump log', extension: 'log', type: 'text/plain' },
  asc: { label: 'ASC', extension: 'asc', type: 'text/plain' },
  csv: { label: 'CSV', extension: 'csv', type: 'text/csv' },
} as const;
export type ExportFormat = keyof typeof exportFormats;

const writers = {
  // Some readers stop at a remark in such a log.
  candump: fileWriter((sink, options) => new CandumpWriter(sink, options, true), false),
  asc: fileWriter((sink, options) => new AscWriter(sink, options), true),
  csv: csvWriter,
} as const;

/** Rows from one pause to the next. */
const piece = 2048;

export interface ExportedTrace {
  readonly pieces: string[];
  /** Rows that have a line. */
  readonly written: number;
  /** Frames and gaps that the format has no words for. */
  readonly leftOut: number;
  readonly gapsLeftOut: number;
}

/**
 * The file in pieces of many lines, and how many rows could not be written. The caller may
 * have other things to do now and then: `yieldToEvents` is awaited between the pieces.
 */
export const exportTrace = async (
  rows: Iterable<RowPlace>,
  format: ExportFormat,
  startUs: number,
  context: ExportContext,
  yieldToEvents: () => Promise<void>,
): Promise<ExportedTrace> => {
  const writer: TraceWriter = writers[format](startUs, context);
  const pieces = [writer.head];
  let text = '';
  let read = 0;
  let leftOut = 0;
  let gapsLeftOut = 0;
  for (const place of rows) {
    const line = writer.line(place);
    if (line === '' && place.chunk.kind[place.row] === gapKind) gapsLeftOut++;
    else if (line === '') leftOut++;
    text += line;
    read++;
    if (read % piece !== 0) continue;
    pieces.push(text);
    text = '';
    await yieldToEvents();
  }
  pieces.push(text, writer.end());
  return { pieces, written: read - leftOut - gapsLeftOut, leftOut, gapsLeftOut };
};
