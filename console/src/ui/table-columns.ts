import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { formatCount } from '../format/figures.ts';
import { rememberedJson } from '../storage/remembered.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly width: number;
  readonly least?: number;
  readonly grows?: boolean;
  /**
   * Rank for dropping the column if space is short: the highest first, 0 and below only if
   * narrower columns are not enough. Copying still includes it.
   */
  readonly spare?: number;
  readonly align?: 'end';
  readonly mono?: boolean;
  /** What rows can be sorted by; NaN is last. */
  readonly order?: (row: Row) => number | string;
  readonly render?: (row: Row) => ComponentChildren;
  readonly text: (row: Row) => string;
}

export type Traits<Row> = Omit<Column<Row>, 'id' | 'title' | 'width' | 'text'>;

export const column = <Row>(
  id: string,
  title: string,
  width: number,
  text: (row: Row) => string,
  traits: Traits<Row> = {},
): Column<Row> => ({ id, title, width, text, ...traits });

/** A column of numbers, aligned right, with thousands separators; null is shown as `–`. */
export const numbers = <Row>(
  id: string,
  title: string,
  width: number,
  value: (row: Row) => number | string | null,
  traits: Traits<Row> = {},
): Column<Row> => {
  const text = (row: Row): string => {
    const shown = value(row) ?? '–';
    return typeof shown === 'number' ? formatCount(shown) : shown;
  };
  return { id, title, width, text, align: 'end', ...traits };
};

/** By which column rows are sorted. */
export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Rows in the order of a column; equal ones keep theirs. */
export const sortedRows = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] => {
  const order = columns.find(({ id }) => id === sorting?.column)?.order;
  if (!order || !sorting) return rows;
  const keyed = rows.map((row) => ({ row, key: order(row) }));
  const isMissing = (key: number | string): boolean => Number.isNaN(key);
  keyed.sort(({ key: a }, { key: b }) => {
    if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
    return sorting.isDescending ? compare(b, a) : compare(a, b);
  });
  return keyed.map(({ row }) => row);
};

/** A column that is not yet sorted by starts with the largest numbers, or with the first texts. */
export const nextSorting = (
  { id, align }: Pick<Column<never>, 'id' | 'align'>,
  sorting: Sorting | null,
): Sorting | null => {
  const first = align === 'end';
  if (sorting?.column !== id) return { column: id, isDescending: first };
  return sorting.isDescending === first ? { column: id, isDescending: !first } : null;
};

type Widths = Readonly<Record<string, number>>;

const narrowest = 24;
const known = new Map<string, Signal<Widths>>();

const areWidths = (value: unknown): value is Widths =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((width) => typeof width === 'number' && width >= narrowest);

/** Column widths dragged by the user; they outlive a reload. */
export const columnWidths = (table: string): Signal<Widths> => {
  const there = known.get(table);
  if (there) return there;
  const kept = rememberedJson<Widths>(`busbar.columns.${table}`, {}, areWidths);
  const widths = signal(kept.get());
  widths.subscribe((value) => kept.set(value));
  known.set(table, widths);
  return widths;
};

export const setColumnWidth = (table: string, column: string, width: number): void => {
  const widths = columnWidths(table);
  widths.value = { ...widths.peek(), [column]: Math.max(narrowest, Math.round(width)) };
};

export const textOfRows = <Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): string => {
  const lines = [columns.map(({ title }) => title).join('\t')];
  for (const row of rows) lines.push(columns.map(({ text }) => text(row)).join('\t'));
  return `${lines.join('\n')}\n`;
};
