import { ascWriter } from './asc-writer.ts';
import { candumpWriter } from './candump-writer.ts';
import type { RowPlace } from './chunk-view.ts';
import { csvWriter } from './csv-writer.ts';
import type { MessageNames } from './message-names.ts';

/** How the file calls things. */
export interface ExportContext {
  readonly channelName: (slot: number) => string;
  readonly names: MessageNames;
}

/** Turns rows into the lines of a file. */
export interface TraceWriter {
  readonly head: string;
  /** The line of a row with its end; empty for what the format has no words for. */
  line(place: RowPlace): string;
  readonly tail: string;
}

export const exportFormats = {
  candump: { label: 'candump log', extension: 'log', type: 'text/plain' },
  asc: { label: 'ASC', extension: 'asc', type: 'text/plain' },
  csv: { label: 'CSV', extension: 'csv', type: 'text/csv' },
} as const;
export type ExportFormat = keyof typeof exportFormats;

const writers = { candump: candumpWriter, asc: ascWriter, csv: csvWriter } as const;

const piece = 4096;

/** The file in pieces of many lines, and how many frames could not be written. */
export const exportTrace = (
  rows: Iterable<RowPlace>,
  format: ExportFormat,
  startUs: number,
  context: ExportContext,
): { readonly pieces: string[]; readonly written: number; readonly leftOut: number } => {
  const writer: TraceWriter = writers[format](startUs, context);
  const pieces = [writer.head];
  let lines: string[] = [];
  let written = 0;
  let leftOut = 0;
  for (const place of rows) {
    const line = writer.line(place);
    if (line === '') leftOut++;
    else {
      written++;
      lines.push(line);
    }
    if (lines.length < piece) continue;
    pieces.push(lines.join(''));
    lines = [];
  }
  pieces.push(lines.join(''), writer.tail);
  return { pieces, written, leftOut };
};
