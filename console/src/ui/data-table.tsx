import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fitColumns, withRoomFor } from './fit-columns.ts';
import {
  type Column,
  columnWidths,
  nextSorting,
  type Sorting,
  setColumnWidth,
  sortedRows,
  textOfRows,
} from './table-columns.ts';
import { textWidth } from './text-width.ts';

interface ColumnHeaderProps<Row> {
  readonly table: string;
  readonly column: Column<Row>;
  readonly width: number;
  readonly isFirst: boolean;
  readonly sorting?: Signal<Sorting | null> | undefined;
}

const SortButton = <Row,>({
  column,
  sorting,
}: {
  readonly column: Column<Row>;
  readonly sorting: Signal<Sorting | null>;
}) => {
  const { value } = sorting;
  const arrow = value?.column !== column.id ? '' : value.isDescending ? ' ▼' : ' ▲';
  return (
    <button
      type="button"
      class="sort"
      title={`Sort by ${column.title}`}
      onClick={() => {
        sorting.value = nextSorting(column, sorting.peek());
      }}
    >
      {column.title}
      <span aria-hidden="true">{arrow}</span>
    </button>
  );
};

const ariaSort = (
  id: string,
  sorting: Signal<Sorting | null> | undefined,
): 'ascending' | 'descending' | undefined => {
  if (sorting?.value?.column !== id) return undefined;
  return sorting.value.isDescending ? 'descending' : 'ascending';
};

const keyStep = 16;

const focusBeside = (edge: HTMLElement, step: number): void => {
  const edges = [...(edge.closest('tr')?.querySelectorAll<HTMLElement>('.grip') ?? [])];
  edges[edges.indexOf(edge) + Math.sign(step)]?.focus();
};

/**
 * Header cell with an edge that can be dragged, or moved with the arrow keys. Shift and an
 * arrow key select the next edge.
 */
export const ColumnHeader = <Row,>(props: ColumnHeaderProps<Row>) => {
  const { table, column, width, isFirst, sorting } = props;
  const drag = (event: PointerEvent): void => {
    const handle = event.currentTarget as HTMLElement;
    const from = event.clientX;
    handle.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent): void =>
      setColumnWidth(table, column.id, width + clientX - from);
    const end = (): void => handle.removeEventListener('pointermove', move);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', end, { once: true });
  };
  const press = (event: KeyboardEvent): void => {
    const steps = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) focusBeside(event.currentTarget as HTMLElement, steps);
    else setColumnWidth(table, column.id, width + steps);
  };
  return (
    <th
      scope="col"
      class={column.align === 'end' ? 'number' : ''}
      aria-sort={ariaSort(column.id, sorting)}
    >
      {sorting && column.order ? <SortButton column={column} sorting={sorting} /> : column.title}
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved */}
      <span
        class="grip"
        role="separator"
        aria-orientation="vertical"
        aria-label={`Width of ${column.title || column.id}`}
        aria-valuenow={width}
        tabIndex={isFirst ? 0 : -1}
        onPointerDown={drag}
        onKeyDown={press}
      />
    </th>
  );
};

export const rowHeight = 24;
/** Extra rows, so that scrolling shows no holes. */
const overscan = 8;

interface DataTableProps<Row> {
  /** Under which widths are remembered, and the start of the test id: `<id>-table`. */
  readonly id: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows?: readonly Row[];
  /** Columns with an order then sort `rows`. */
  readonly sorting?: Signal<Sorting | null>;
  /** Replaces `rows`, for rows created on demand. */
  readonly count?: number;
  readonly rowAt?: (index: number) => Row;
  readonly keyOf: (row: Row, index: number) => string | number;
  readonly selected?: (row: Row, index: number) => boolean;
  readonly onSelect?: (row: Row, index: number) => void;
  readonly rowAttributes?: (row: Row) => Readonly<Record<string, string | undefined>>;
  /** Keeps the last row visible until the user scrolls away. */
  readonly followsEnd?: boolean;
  readonly onFollow?: (isAtEnd: boolean) => void;
  readonly empty?: ComponentChildren;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

const rangeOf = (scroller: HTMLElement, count: number): Range => ({
  first: Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - overscan),
  last: Math.min(
    count,
    Math.ceil((scroller.scrollTop + scroller.clientHeight) / rowHeight) + overscan,
  ),
});

/**
 * Table of any length with only its visible rows in the document. Columns fill the width and
 * can be resized; Ctrl C copies the selected rows or all; arrow keys move the selection.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { id, label, columns, keyOf, selected, onSelect, empty, sorting, rows: given = [] } = props;
  const all = sorting ? sortedRows(given, columns, sorting.value) : given;
  const { count = all.length, rowAt = (index) => all[index] as Row } = props;
  const scroller = useRef<HTMLElement>(null);
  const [range, setRange] = useState<Range>({ first: 0, last: 50 });
  const [room, setRoom] = useState<number | null>(null);
  const first = Math.min(range.first, count);
  const last = Math.min(range.last, count);
  const visible = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  const rows = visible.map(rowAt);
  const space = useRef<NeededSpace>(new Map());
  const spaceCount = useRef(count);
  if (spaceCount.current !== count) space.current = new Map();
  spaceCount.current = count;
  const roomy = columns.map((column) =>
    withRoomFor(column, largestSpace(space.current, column, rows)),
  );
  const dragged = columnWidths(id).value;
  const { columns: shown, widths } = fitColumns(roomy, dragged, room);

  const look = (): void => {
    if (!scroller.current) return;
    if (scroller.current.clientWidth > 0) setRoom(scroller.current.clientWidth);
    const next = rangeOf(scroller.current, count);
    setRange((old) => (old.first === next.first && old.last === next.last ? old : next));
  };
  const onScroll = (): void => {
    look();
    const node = scroller.current;
    if (!node || !props.onFollow) return;
    props.onFollow(node.scrollHeight - node.scrollTop - node.clientHeight < rowHeight);
  };
  useLayoutEffect(() => {
    if (props.followsEnd && scroller.current) scroller.current.scrollTop = count * rowHeight;
    look();
  }, [count, props.followsEnd]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [count]);

  const indexes = (): number[] => Array.from({ length: count }, (_, index) => index);
  const copy = (event: ClipboardEvent): void => {
    if (document.getSelection()?.toString()) return;
    const chosen = indexes().filter((index) => selected?.(rowAt(index), index));
    const rows = (chosen.length > 0 ? chosen : indexes()).map(rowAt);
    event.clipboardData?.setData('text/plain', textOfRows(columns, rows));
    event.preventDefault();
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !onSelect || count === 0) return;
    event.preventDefault();
    const present = selected ? indexes().find((index) => selected(rowAt(index), index)) : undefined;
    const index = Math.min(count - 1, Math.max(0, (present ?? (step > 0 ? -1 : count)) + step));
    onSelect(rowAt(index), index);
    const node = scroller.current;
    if (!node) return;
    const top = index * rowHeight;
    if (top < node.scrollTop) node.scrollTop = top;
    else if (top + 2 * rowHeight > node.scrollTop + node.clientHeight) {
      node.scrollTop = top + 2 * rowHeight - node.clientHeight;
    }
  };

  return (
    <section
      class="table-scroll"
      ref={scroller}
      onScroll={onScroll}
      onCopy={copy}
      onKeyDown={move}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, copies and selects by keys
      tabIndex={0}
      aria-label={label}
      data-testid={`${id}-table`}
    >
      <table
        aria-rowcount={count + 1}
        data-dragged={Object.keys(dragged).length > 0 ? '' : undefined}
        style={{ width: `${sum(widths)}px` }}
      >
        <colgroup>
          {shown.map((column, i) => (
            <col key={column.id} style={{ width: `${widths[i]}px` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {shown.map((column, i) => (
              <ColumnHeader
                key={column.id}
                table={id}
                column={column}
                isFirst={i === 0}
                sorting={sorting}
                width={widths[i] ?? column.width}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={first} />
          {visible.map((index) => {
            const row = rowAt(index);
            return (
              <tr
                key={keyOf(row, index)}
                aria-rowindex={index + 2}
                aria-selected={selected?.(row, index)}
                onClick={onSelect && (() => onSelect(row, index))}
                {...props.rowAttributes?.(row)}
              >
                {shown.map((column) => (
                  <Cell key={column.id} column={column} row={row} />
                ))}
              </tr>
            );
          })}
          <Spacer rows={count - last} />
        </tbody>
      </table>
      {count === 0 && empty && <div class="empty">{empty}</div>}
    </section>
  );
};

const padding = 21;

/** Titles and numbers are never cut: a number without its last digits would be wrong. */
const neededSpace = <Row,>(column: Column<Row>, rows: readonly Row[]): number => {
  const { title, align, mono, order, text } = column;
  const figures = align === 'end' ? rows.map(text) : [];
  const kind = mono ? 'mono' : 'plain';
  return (
    padding +
    Math.max(
      textWidth(order ? `${title} ▼` : title, 'title'),
      ...figures.map((each) => textWidth(each, kind)),
    )
  );
};

type NeededSpace = Map<string, number>;

/**
 * Space for all numbers that the same rows have shown: with values that change, columns would
 * otherwise come and go.
 */
const largestSpace = <Row,>(
  known: NeededSpace,
  column: Column<Row>,
  rows: readonly Row[],
): number => {
  const key = `${column.id} ${column.title}`;
  const largest = Math.max(known.get(key) ?? 0, neededSpace(column, rows));
  known.set(key, largest);
  return largest;
};

const Cell = <Row,>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) => {
  const { id, align, mono, render, text } = column;
  const content = render ? render(row) : text(row);
  return (
    <td
      data-field={id}
      class={`${align === 'end' ? 'number' : ''} ${mono ? 'mono' : ''}`}
      // A tooltip shows text that is cut.
      title={typeof content === 'string' && align !== 'end' ? content : undefined}
    >
      <div class="cell">{content}</div>
    </td>
  );
};

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const Spacer = ({ rows }: { readonly rows: number }) =>
  rows > 0 ? (
    <tr class="spacer">
      <td style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  ) : null;
