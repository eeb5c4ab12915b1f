import { type Column, setColumnWidth } from './table-columns.ts';

interface ColumnHeaderProps<Row> {
  readonly table: string;
  readonly column: Column<Row>;
  readonly width: number;
  /** All edges of a table are one stop of the tab key. */
  readonly isFirst: boolean;
}

const keyStep = 16;

/** Moves the focus to the edge of a column beside this one. */
const focusBeside = (edge: HTMLElement, step: number): void => {
  const edges = [...(edge.closest('tr')?.querySelectorAll<HTMLElement>('.grip') ?? [])];
  edges[edges.indexOf(edge) + Math.sign(step)]?.focus();
};

/**
 * A head cell whose right edge can be dragged, or moved with the arrow keys; with Shift they go to
 * the next edge.
 */
export const ColumnHeader = <Row,>({ table, column, width, isFirst }: ColumnHeaderProps<Row>) => {
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
    <th scope="col" class={column.align === 'end' ? 'number' : ''}>
      {column.title}
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
