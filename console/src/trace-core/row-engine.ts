import type { ByIdTable } from './by-id-table.ts';
import type { RowPosition, RowView } from './chunk-view.ts';
import { ExpandedRows, type Expansion } from './expanded-rows.ts';
import type { FrameChunk } from './frame-chunk.ts';
import { type FrameFilter, isOpen, rowTest } from './frame-filter.ts';
import { rowBytes } from './frame-row.ts';
import type { RowTest } from './frame-store.ts';
import {
  type ChangesReport,
  changesReport,
  type IdPayloads,
  newestPayloads,
  type StatisticsReport,
  statisticsReport,
} from './id-report.ts';
import type { LineIndex } from './line-index.ts';
import { Definitions, MessageNames, type NameSources, noNames } from './message-names.ts';
import type { SearchedRows } from './row-search.ts';
import {
  ByIdRows,
  FrameRows,
  type FrameView,
  type RowSpan,
  rowsAt,
  rowsBetween,
  type WindowFacts,
  type WindowRequest,
  windowOf,
} from './row-windows.ts';

const collapsed: Expansion = { serials: [], messages: [] };

/** Rows for a reader that runs while they change. */
interface HeldRows {
  readonly rows: Iterable<RowPosition>;
  readonly release: () => void;
}

/** Answers requests about the rows of a source, with their filter, names and signals. */
export abstract class RowEngine {
  /** Called when a window changes, which can be requested then. */
  protected readonly changed: () => void;
  #names: MessageNames = noNames;
  #definitions = new Definitions([]);
  readonly #expansions: Record<FrameView, Expansion> = { frames: collapsed, 'by-id': collapsed };
  #expanded = this.#expand();
  #lines: {
    readonly view: RowView;
    readonly expanded: ExpandedRows;
    readonly index: LineIndex;
  } | null = null;
  #filter: FrameFilter | null = null;
  #test: RowTest | null = null;

  constructor(onChange: () => void) {
    this.changed = onChange;
  }

  /** The rows that are shown; another object when they change, if that is rare. */
  protected abstract readonly view: RowView;
  protected abstract readonly table: ByIdTable;
  protected abstract readonly originUs: number;
  protected abstract filterRows(test: RowTest | null): void;

  /** All rows, for a search. */
  abstract holdAll(): SearchedRows;
  /** The filtered frames as of now. */
  abstract holdShown(): HeldRows;
  abstract readonly shownFromUs: number;
  /** Counts changes from now on, or in a file from a row on. */
  abstract mark(serial: number | null): void;
  abstract unmark(): void;

  get names(): MessageNames {
    return this.#names;
  }

  protected get shownFilter(): FrameFilter | null {
    return this.#filter;
  }

  protected get test(): RowTest | null {
    return this.#test;
  }

  filter(filter: FrameFilter): void {
    this.#filter = isOpen(filter) ? null : filter;
    this.#refilter();
  }

  name(sources: NameSources): void {
    this.#names = new MessageNames(sources);
    this.#expanded = this.#expand();
    if (this.#filter && this.#filter.names.length > 0) this.#refilter();
  }

  /** Messages with their signals, which only expanded rows and conditions need. */
  define(definitions: Definitions): void {
    this.#definitions = definitions;
    this.#expanded = this.#expand();
    this.changed();
  }

  expand(view: FrameView, expansion: Expansion): void {
    this.#expansions[view] = expansion;
    this.#expanded = this.#expand();
    this.changed();
  }

  /** Shown rows from one to another, the last ones of too many. */
  rowsBetween(view: FrameView, span: RowSpan): { rows: number; buffer: ArrayBuffer } {
    return rowsBetween(this.#rowsOf(view), span);
  }

  /** Chronological rows with these serials, the last ones of too many. */
  rowsAt(serials: Float64Array): { rows: number; buffer: ArrayBuffer } {
    return rowsAt(new FrameRows(this.view), serials);
  }

  /** Serial of the row by ID of a frame; negative without one. */
  serialAt(chunk: FrameChunk, row: number): number {
    const own = this.table.rowOf(chunk, row);
    return own < 0 ? own : this.table.firstSerial + own;
  }

  /** Statistics of the filtered IDs. */
  get statistics(): StatisticsReport {
    return statisticsReport(this.table, this.#filteredIds);
  }

  /** Changes of the filtered IDs since the mark, and the counts of the selected one. */
  changes(selected: number | null): ChangesReport {
    return changesReport(this.table, this.#filteredIds, selected);
  }

  /** The newest payloads of each ID. */
  payloads(limit: number): readonly IdPayloads[] {
    return newestPayloads(this.table, this.view, limit);
  }

  window({ view, rows, place, selected }: WindowRequest, buffer: ArrayBuffer): WindowFacts {
    const bytes = new DataView(buffer);
    const room = Math.min(rows, Math.floor(buffer.byteLength / rowBytes) - 1);
    const shown = this.#rowsOf(view);
    const expanded = this.#expanded[view];
    const linesBelow = (each: RowPosition): number =>
      expanded.linesBelow(each, shown.serialOf(each));
    const index = (): LineIndex => this.#lineIndex(shown, expanded);
    const facts = windowOf(shown, linesBelow, index, place, room, bytes);
    const hasSelected =
      shown instanceof ByIdRows && shown.writeSelected(bytes, facts.rows, selected);
    return { ...facts, originUs: this.originUs, hasSelected };
  }

  #refilter(): void {
    this.#test = this.#filter && rowTest(this.#filter, this.#names);
    this.filterRows(this.#test);
    this.changed();
  }

  get #filteredIds(): Uint16Array {
    const { last, sorted } = this.table;
    const test = this.#test;
    return test === null ? sorted : sorted.filter((row) => test(last, row));
  }

  #expand(): Record<FrameView, ExpandedRows> {
    const expanded = (view: FrameView): ExpandedRows =>
      new ExpandedRows(this.#expansions[view], this.#names, this.#definitions);
    return { frames: expanded('frames'), 'by-id': expanded('by-id') };
  }

  /** The rows of a paused view or a file stay, so their lines are counted once. */
  #lineIndex(shown: FrameRows | ByIdRows, expanded: ExpandedRows): LineIndex {
    if (shown instanceof ByIdRows) return expanded.index(shown);
    const { view } = shown;
    if (this.#lines?.view !== view || this.#lines.expanded !== expanded) {
      this.#lines = { view, expanded, index: expanded.index(shown) };
    }
    return this.#lines.index;
  }

  #rowsOf(view: FrameView): FrameRows | ByIdRows {
    if (view === 'frames') return new FrameRows(this.view);
    return new ByIdRows(this.table, this.#filteredIds);
  }
}
