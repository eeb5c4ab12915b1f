import type { ComponentChildren } from 'preact';

type CellClass = 'number' | 'number mono' | 'mono' | 'mono wrap' | 'wrap';

export type PlainColumn<Row> = readonly [
  title: string,
  cell: (row: Row) => ComponentChildren,
  cellClass?: CellClass,
];

interface PlainTableProps<Row> {
  readonly columns: readonly PlainColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string | number;
  readonly caption?: string;
  readonly hasRowHeads?: boolean;
  readonly hasHead?: boolean;
  readonly rowAttributes?: (row: Row) => object;
  readonly class?: string;
  readonly testId?: string;
}

const isNumber = (cellClass: CellClass | undefined): boolean =>
  cellClass?.startsWith('number') === true;

export const PlainTable = <Row,>(props: PlainTableProps<Row>) => {
  const { columns, rows, keyOf, caption, hasRowHeads = false, hasHead = true } = props;
  return (
    <table class={props.class} data-testid={props.testId}>
      {caption !== undefined && <caption>{caption}</caption>}
      {hasHead && (
        <thead>
          <tr>
            {columns.map(([title, , cellClass]) => (
              <th key={title} scope="col" class={isNumber(cellClass) ? 'number' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} {...props.rowAttributes?.(row)}>
            {columns.map(([title, cell, cellClass], at) =>
              at === 0 && hasRowHeads ? (
                <th key={title} scope="row" class={cellClass}>
                  {cell(row)}
                </th>
              ) : (
                <td key={title} class={cellClass}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
