import type { Column } from './table-columns.ts';

type Size = Pick<Column<unknown>, 'id' | 'width' | 'least' | 'grows' | 'spare'>;

interface Fitted<Each> {
  readonly columns: readonly Each[];
  readonly widths: readonly number[];
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const widthOf = ({ width }: Size): number => width;
const minOf = ({ width, least = width }: Size): number => least;

/**
 * Columns that fit: spare ones are dropped before others get narrower, those of rank 0 and
 * below only if that is not enough.
 */
const affordable = <Each extends Size>(columns: readonly Each[], room: number): readonly Each[] => {
  const rank = Math.max(...columns.map(({ spare = Number.NEGATIVE_INFINITY }) => spare));
  const measure = rank > 0 ? widthOf : minOf;
  if (!Number.isFinite(rank) || sum(columns.map(measure)) <= room) return columns;
  return affordable(
    columns.filter(({ spare }) => spare !== rank),
    room,
  );
};

/** Distributes free width to growing columns, or removes missing width from shrinkable ones. */
const share = (columns: readonly Size[], widths: readonly number[], room: number): number[] => {
  const left = room - sum(widths);
  const parts = columns.map((column, at) => {
    const width = widths[at] ?? column.width;
    if (left < 0) return width - Math.min(width, minOf(column));
    return column.grows ? column.width : 0;
  });
  const whole = sum(parts);
  if (whole === 0) return [...widths];
  const scale = left < 0 ? Math.max(-1, left / whole) : left / whole;
  return widths.map((width, at) => Math.floor(width + (parts[at] ?? 0) * scale));
};

export const withRoomFor = <Each extends Size>(column: Each, needed: number): Each =>
  needed <= minOf(column)
    ? column
    : { ...column, least: needed, width: Math.max(needed, column.width) };

/**
 * Visible columns and their widths. A width dragged by the user is kept: the table gets wider
 * instead of losing a column.
 */
export const fitColumns = <Each extends Size>(
  columns: readonly Each[],
  dragged: Readonly<Record<string, number>>,
  room: number | null,
): Fitted<Each> => {
  const shown = room === null ? columns : affordable(columns, room);
  const sizes = shown.map((column) => {
    const { [column.id]: width } = dragged;
    return width === undefined ? column : { id: column.id, width };
  });
  const widths = sizes.map(({ width }) => width);
  return { columns: shown, widths: room === null ? widths : share(sizes, widths, room) };
};
