import type { DetectedField } from '../analysis/detect-fields.ts';
import type { DatabaseContent } from '../api/client.ts';
import type { SeenChannel } from './channel-names.ts';
import type { Expansion } from './expanded-rows.ts';
import type { ExportFormat, SavedTrace } from './export-trace.ts';
import type { FrameFilter } from './frame-filter.ts';
import type { ChangesReport, StatisticsReport } from './id-report.ts';
import type { NameSources } from './message-names.ts';
import type { RowNote } from './row-note.ts';
import type { SearchQuestion, SearchResult } from './row-search.ts';
import type { FrameView, RowSpan, WindowAnswer, WindowQuestion } from './row-windows.ts';

/** What the page asks about the rows of a source: the stream or a file. */
export type RowRequest =
  | WindowQuestion
  | { readonly type: 'filter'; readonly filter: FrameFilter }
  | { readonly type: 'names'; readonly sources: NameSources }
  | { readonly type: 'channels'; readonly seen: readonly SeenChannel[] }
  | { readonly type: 'define'; readonly databases: readonly DatabaseContent[] }
  | { readonly type: 'expand'; readonly view: FrameView; readonly expansion: Expansion }
  | {
      readonly type: 'rows';
      readonly number: number;
      readonly view: FrameView;
      /** Null for the rows that the last search found. */
      readonly span: RowSpan | null;
    }
  | ({ readonly type: 'search' } & SearchQuestion)
  | {
      readonly type: 'export';
      readonly format: ExportFormat;
      readonly notes: readonly RowNote[];
    }
  | { readonly type: 'statistics' | 'fields' | 'unmark' }
  /** `serial` is the row from which changes are counted in a file. */
  | { readonly type: 'mark'; readonly serial: number | null }
  | { readonly type: 'changes'; readonly selected: number | null };

/** Fields found in the frames that are kept, by serial of the row by ID. */
export type FoundFields = ReadonlyMap<number, readonly DetectedField[]>;

export type RowAnswer =
  | WindowAnswer
  | {
      readonly type: 'rows';
      readonly number: number;
      readonly rows: number;
      readonly buffer: ArrayBuffer;
    }
  | { readonly type: 'searched'; readonly result: SearchResult }
  | {
      readonly type: 'export';
      /** Null if the writer of the format could not be fetched. */
      readonly saved: SavedTrace | null;
    }
  | { readonly type: 'statistics'; readonly report: StatisticsReport }
  | { readonly type: 'changes'; readonly report: ChangesReport }
  | { readonly type: 'fields'; readonly found: FoundFields };
