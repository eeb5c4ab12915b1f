import { computed, signal } from '@preact/signals';
import type { FrameRow } from '../../trace-core/frame-row.ts';
import type { RowSpan } from '../../trace-core/row-windows.ts';
import { noteOf } from './row-notes.ts';
import { shownRows } from './trace-client.ts';
import { frameView, selected } from './trace-state.ts';

/** Rows that were selected together; they count while the current row is one of them. */
const together = signal<ReadonlyMap<number, FrameRow>>(new Map());
let anchor: number | null = null;

export const selectedRows = computed((): readonly FrameRow[] => {
  const current = selected.value;
  if (current === null) return [];
  const all = together.value;
  if (!all.has(current.serial)) return [current];
  return [...all.values()].map((row) => (row.serial === current.serial ? current : row));
});

export const selectedSerials = computed(
  (): ReadonlySet<number> => new Set(selectedRows.value.map(({ serial }) => serial)),
);

export const selectOnly = (row: FrameRow): void => {
  anchor = row.serial;
  together.value = new Map();
  selected.value = row;
};

/** Adds a row, or removes it. */
export const selectAlso = (row: FrameRow): void => {
  anchor = row.serial;
  const all = new Map(selectedRows.value.map((each) => [each.serial, each]));
  if (all.size > 1 && all.delete(row.serial)) selected.value = [...all.values()].at(-1) ?? row;
  else {
    all.set(row.serial, row);
    selected.value = row;
  }
  together.value = all;
};

/** A span of rows, or null for the rows that a search found. */
const selectSpan = (span: RowSpan | null, current: FrameRow | null): void => {
  if (current) selected.value = current;
  shownRows.peek().askRows(frameView(), span, (rows) => {
    together.value = new Map(rows.map((row) => [row.serial, row]));
    const isThere = together.value.has(selected.peek()?.serial ?? Number.NaN);
    if (!isThere) selected.value = rows.at(-1) ?? null;
  });
};

/** Selects all rows from the one that was selected first to this one. */
export const selectTo = (row: FrameRow): void => {
  anchor ??= selected.peek()?.serial ?? row.serial;
  selectSpan({ from: anchor, to: row.serial }, row);
};

export const selectAll = (): void =>
  selectSpan({ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }, null);

/** Selects the rows that the last search found. */
export const selectFound = (): void => selectSpan(null, null);

/** Text of the selected rows, set by the table that shows them. */
export const copied: { text: () => string } = { text: () => '' };

/** Text of the note that is being written about the selected rows; null while none is. */
export const writtenNote = signal<string | null>(null);

// Rows of another source have other serials.
shownRows.subscribe(() => {
  anchor = null;
  together.value = new Map();
  writtenNote.value = null;
});

export const startNote = (): void => {
  const [row] = selectedRows.peek();
  if (row) writtenNote.value = noteOf(row) ?? '';
};
