import type { Column } from './table-columns.ts';

type Size = Pick<Column<unknown>, 'id' | 'width' | 'least' | 'grows' | 'spare'>;

interface Fitted<Each> {
  readonly columns: readonly Each[];
  readonly widths: readonly number[];
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const widthOf = ({ width }: Size): number => width;
const leastOf = ({ width, least = width }: Size): number => least;

/**
 * Those that there is room for: the ones that can be spared go before any other gets narrower, those
 * of rank 0 and below only when that does not help.
 */
const affordable = <Each extends Size>(columns: readonly Each[], room: number): readonly Each[] => {
  const rank = Math.max(...columns.map(({ spare = Number.NEGATIVE_INFINITY }) => spare));
  const measure = rank > 0 ? widthOf : leastOf;
  if (!Number.isFinite(rank) || sum(columns.map(measure)) <= room) return columns;
  return affordable(
    columns.filter(({ spare }) => spare !== rank),
    room,
  );
};

/** Gives what is left to the columns that want it, and takes what is missing from those that can. */
const share = (columns: readonly Size[], widths: readonly number[], room: number): number[] => {
  const left = room - sum(widths);
  const parts = columns.map((column, at) => {
    const width = widths[at] ?? column.width;
    if (left < 0) return width - Math.min(width, leastOf(column));
    return column.grows ? column.width : 0;
  });
  const whole = sum(parts);
  if (whole === 0) return [...widths];
  const scale = left < 0 ? Math.max(-1, left / whole) : left / whole;
  return widths.map((width, at) => Math.floor(width + (parts[at] ?? 0) * scale));
};

/** A column that is wide enough for what must not be cut. */
export const withRoomFor = <Each extends Size>(column: Each, needed: number): Each =>
  needed <= leastOf(column)
    ? column
    : { ...column, least: needed, width: Math.max(needed, column.width) };

/**
 * Which columns are shown in a table of that width, and how wide they are. A width that the user
 * dragged stays as it is: it makes the table wider, and no other column goes because of it.
 */
export const fitColumns = <Each extends Size>(
  columns: readonly Each[],
  dragged: Readonly<Record<string, number>>,
  /** Null until it is known. */
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
