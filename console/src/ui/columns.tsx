import { formatCount } from '../format/figures.ts';
import { StateMark } from './state-mark.tsx';
import type { Column } from './table-columns.ts';

type Options<Row> = Omit<Column<Row>, 'id' | 'title' | 'width' | 'text'>;

/** One row of a column table: id, head, width in pixels, text of the cell, then the rest. */
export const column = <Row,>(
  id: string,
  title: string,
  width: number,
  text: (row: Row) => string,
  options?: Options<Row>,
): Column<Row> => ({ id, title, width, text, ...options });

/** A column of counts; `–` for unknown ones. */
export const countColumn = <Row,>(
  id: string,
  title: string,
  width: number,
  count: (row: Row) => number | null,
  options?: Options<Row>,
): Column<Row> => {
  const text = (row: Row): string => {
    const value = count(row);
    return value === null ? '–' : formatCount(value);
  };
  return { id, title, width, text, align: 'end', ...options };
};

/** A column of states, each with its mark. */
export const stateColumn = <Row,>(
  id: string,
  title: string,
  width: number,
  state: (row: Row) => string | null,
  options?: Options<Row>,
): Column<Row> => ({
  ...{ id, title, width, text: (row) => state(row) ?? '–', ...options },
  render: (row) => {
    const shown = state(row);
    return shown === null ? '–' : <StateMark state={shown} />;
  },
});

interface RowAction<Row> {
  readonly title: string;
  readonly label?: string;
  readonly nameOf: (row: Row) => string;
  readonly run: (row: Row) => unknown;
  readonly attributes?: () => object;
}

/** A column with one button per row, which does not select the row. */
export const actionColumn = <Row,>(
  id: string,
  width: number,
  { title, label = title, nameOf, run, attributes }: RowAction<Row>,
): Column<Row> => ({
  ...{ id, title: '', width, align: 'end', text: () => '' },
  render: (row) => (
    <button
      type="button"
      class="inline"
      aria-label={`${title} ${nameOf(row)}`}
      title={title}
      {...attributes?.()}
      onClick={(event) => {
        event.stopPropagation();
        run(row);
      }}
    >
      {label}
    </button>
  ),
});
