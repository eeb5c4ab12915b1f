import type { Column } from './table-columns.ts';

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
