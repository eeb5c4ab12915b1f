import { signal } from '@preact/signals';
import type { ErrorRecord } from '../api/api-error.ts';
import type { ExportFormat, SavedTrace } from './export-trace.ts';
import { type FrameRow, RowWindow } from './frame-row.ts';
import type { ChangesReport, StatisticsReport } from './id-report.ts';
import type { FoundFields, RowAnswer, RowRequest } from './row-messages.ts';
import type { RowNote } from './row-note.ts';
import type { SearchQuestion, SearchResult } from './row-search.ts';
import type { FrameView, RowSpan } from './row-windows.ts';
import { WindowClient } from './window-client.ts';

export interface FoundEvent {
  /** Null for a row that a search found. */
  readonly eventId: number | null;
  /** Serial of its row; null if it is not stored. */
  readonly serial: number | null;
  readonly error: ErrorRecord | null;
}

type Post = (asked: RowRequest, transfer?: Transferable[]) => void;

/** Asks the worker that has the rows of a source, and keeps its latest answers. */
export class RowClient {
  readonly windows: WindowClient;
  readonly statistics = signal<StatisticsReport | null>(null);
  readonly changes = signal<ChangesReport | null>(null);
  /** Counters and checksums that the worker detected; null before it searched. */
  readonly fields = signal<FoundFields | null>(null);
  /** The row that the table shows next. */
  readonly found = signal<FoundEvent | null>(null);
  readonly #post: Post;
  #rowQuestions = 0;
  #onRows: (rows: readonly FrameRow[]) => void = () => {};
  #onSearch: (result: SearchResult) => void = () => {};
  #onExport: (saved: SavedTrace | null) => void = () => {};
  readonly #onChanges: ((report: ChangesReport) => void)[] = [];
  readonly #awaitedReports = new Set<string>();
  #areFieldsAwaited = false;

  constructor(post: Post) {
    this.#post = post;
    this.windows = new WindowClient(post);
  }

  receive(data: RowAnswer): void {
    switch (data.type) {
      case 'window':
        this.windows.receive(data);
        return;
      case 'statistics':
        this.#awaitedReports.delete(data.type);
        this.statistics.value = data.report;
        return;
      case 'changes':
        this.#awaitedReports.delete(data.type);
        this.changes.value = data.report;
        for (const take of this.#onChanges.splice(0)) take(data.report);
        return;
      case 'fields':
        this.#areFieldsAwaited = false;
        this.fields.value = data.found;
        return;
      case 'rows':
        if (data.number === this.#rowQuestions) {
          this.#onRows(new RowWindow(data.buffer, data.rows).all());
        }
        return;
      case 'searched':
        this.#onSearch(data.result);
        return;
      case 'export':
        this.#onExport(data.saved);
    }
  }

  /** Nothing more will be answered. */
  close(): void {
    const counts = { number: 0, count: 0, hidden: 0 };
    this.#onSearch({ text: null, serial: null, ...counts, checked: null, error: null });
    this.#onExport(null);
  }

  /** Asks for rows that need not be in sight; only the last question is answered. */
  askRows(
    view: FrameView,
    span: RowSpan | null,
    onRows: (rows: readonly FrameRow[]) => void,
  ): void {
    this.#onRows = onRows;
    this.#post({ type: 'rows', number: ++this.#rowQuestions, view, span });
  }

  search(question: SearchQuestion): Promise<SearchResult> {
    return new Promise((done) => {
      this.#onSearch = done;
      this.#post({ type: 'search', ...question });
    });
  }

  /** Asks for a report, unless the one before is awaited. */
  askReport(
    asked: { readonly type: 'statistics' } | Extract<RowRequest, { type: 'changes' }>,
  ): void {
    if (this.#awaitedReports.has(asked.type)) return;
    this.#awaitedReports.add(asked.type);
    this.#post(asked);
  }

  /** The changes as of now. */
  nextChanges(selected: number | null): Promise<ChangesReport> {
    return new Promise((done) => {
      this.#onChanges.push(done);
      this.#post({ type: 'changes', selected });
    });
  }

  askFields(): void {
    if (this.#areFieldsAwaited) return;
    this.#areFieldsAwaited = true;
    this.#post({ type: 'fields' });
  }

  save(format: ExportFormat, notes: readonly RowNote[]): Promise<SavedTrace | null> {
    return new Promise((done) => {
      this.#onExport = done;
      this.#post({ type: 'export', format, notes });
    });
  }
}
