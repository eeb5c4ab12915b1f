import type { TraceError, TraceFormat } from '../../../src/trace/trace-format.ts';
import type { ErrorRecord } from '../api/api-error.ts';
import type { DatabaseContent, DatabaseMessage, DatabaseSignal } from '../api/client.ts';
import type { SampleColumns } from '../samples/sample-series.ts';
import type { RowAnswer, RowRequest } from '../trace-core/row-messages.ts';
import type { FileChannel } from './file-rows.ts';

export interface NamedChannel extends FileChannel {
  readonly name: string | null;
}

export interface FileStatus {
  readonly name: string;
  readonly bytes: number;
  /** `stopped`: the user stopped reading; the rows read until then are shown. */
  readonly state: 'reading' | 'ready' | 'stopped' | 'failed';
  readonly error: ErrorRecord | null;
  readonly readBytes: number;
  readonly format: TraceFormat | null;
  /** False if the file does not contain when it was recorded. */
  readonly hasDate: boolean;
  readonly rows: number;
  readonly firstUs: number;
  readonly lastUs: number;
  readonly channels: readonly NamedChannel[];
  readonly unlisted: number;
  readonly isFiltering: boolean;
  /** Changes are being counted from a row on. */
  readonly isMarking: boolean;
  readonly gaps: number;
  readonly missed: number;
  readonly malformed: number;
  readonly errors: readonly TraceError[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly isTruncated: boolean;
  /** Errors of the file by the number of the row that marks them. */
  readonly reasons: ReadonlyMap<number, string>;
}

export type FileRequest =
  | { readonly type: 'open'; readonly name: string; readonly file: Blob }
  | { readonly type: 'database'; readonly name: string; readonly file: Blob }
  | { readonly type: 'stop' }
  | {
      readonly type: 'signal';
      readonly key: string;
      readonly slot: number;
      readonly message: DatabaseMessage;
      readonly signal: DatabaseSignal;
    }
  | RowRequest;

export type FileAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'status'; readonly status: FileStatus }
  | {
      readonly type: 'database';
      readonly content: DatabaseContent | null;
      readonly error: ErrorRecord | null;
    }
  | { readonly type: 'signal'; readonly key: string; readonly columns: SampleColumns }
  | RowAnswer;
