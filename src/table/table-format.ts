import type { SampleBatch } from './rows/sample-batch.ts';
import type { WideColumn } from './rows/series.ts';

export const tableFormats = ['csv', 'jsonl', 'parquet'] as const;
export type TableFormat = (typeof tableFormats)[number];

export const tableEndings: Readonly<Record<TableFormat, string>> = {
  csv: '.csv',
  jsonl: '.jsonl',
  parquet: '.parquet',
};

/** Columns of a wide table after the time; a null shape is a long table. */
export interface WideShape {
  readonly columns: readonly WideColumn[];
  /** Without it, a row has values of one frame, and its channel. */
  readonly hold: boolean;
}

export type TableShape = WideShape | null;

/** An encoded piece of a table. Pieces in the same order are the same table. */
export interface TablePart {
  /** Valid until the encoder is used again. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  /** Column chunks of a Parquet row group, in numbers; empty in text. */
  readonly chunks: Float64Array<ArrayBuffer>;
}

/** A part whose bytes are in the file. */
export interface WrittenPart extends Pick<TablePart, 'rows' | 'chunks'> {
  readonly length: number;
}

/** Encodes samples; parts do not depend on each other, so they can be made in any thread. */
export interface TableEncoder {
  encode(samples: SampleBatch): TablePart;
}

/** The bytes of a file before and after its parts, which follow each other. */
export interface TableAssembler {
  begin(): Uint8Array;
  add(part: WrittenPart): void;
  end(): Uint8Array;
}

export interface TableFormatParts {
  /** Samples of a part at most. */
  readonly samplesPerPart: number;
  encoder(shape: TableShape): TableEncoder;
  assembler(shape: TableShape): TableAssembler;
}
