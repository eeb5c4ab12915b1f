import { type FrameRow, isGap } from '../../trace-core/frame-row.ts';
import { isFault } from '../../trace-core/frame-text.ts';
import { gapSentence } from '../../trace-core/gap-text.ts';
import type { FrameColumn } from './frame-columns.ts';

/** A row of the document and what it shows, so that only what differs is written. */
interface Line {
  readonly node: HTMLTableRowElement;
  readonly cells: readonly HTMLTableCellElement[];
  readonly gap: HTMLTableCellElement;
  readonly shown: string[];
  look: string;
}

const newLine = (columns: readonly FrameColumn[]): Line => {
  const node = document.createElement('tr');
  const cells = columns.map(({ id, align, mono }) => {
    const cell = node.insertCell();
    cell.dataset.field = id;
    cell.className = [align === 'end' ? 'number' : '', mono ? 'mono' : ''].join(' ').trim();
    return cell;
  });
  const gap = node.insertCell();
  gap.colSpan = columns.length;
  gap.className = 'gap';
  return { node, cells, gap, shown: columns.map(() => ''), look: '' };
};

/** The rows of a table body, written by hand: a diff of hundreds of cells would cost more. */
export class RowPool {
  readonly #body: HTMLTableSectionElement;
  readonly #columns: readonly FrameColumn[];
  readonly #lines: Line[] = [];

  constructor(body: HTMLTableSectionElement, columns: readonly FrameColumn[]) {
    this.#body = body;
    this.#columns = columns;
    body.replaceChildren();
  }

  draw(rows: readonly FrameRow[], first: number, selectedSerial: number | null): void {
    for (const [i, row] of rows.entries()) {
      const line = this.#lines[i] ?? this.#add();
      this.#look(line, row, row.serial === selectedSerial, first + i);
      if (isGap(row)) line.gap.textContent = `▲ ${gapSentence(row.sequence, row.eventId)}`;
      else this.#fill(line, row);
    }
    for (let i = rows.length; i < this.#lines.length; i++) {
      const line = this.#lines[i] as Line;
      line.node.hidden = true;
      line.look = '';
    }
  }

  /** Which of the rows a node of the document belongs to; -1 if none. */
  indexOf(node: EventTarget | null): number {
    const row = node instanceof Element ? node.closest('tr') : null;
    return this.#lines.findIndex((line) => line.node === row);
  }

  #add(): Line {
    const line = newLine(this.#columns);
    this.#lines.push(line);
    this.#body.append(line.node);
    return line;
  }

  #look(line: Line, row: FrameRow, isSelected: boolean, index: number): void {
    const kind = isGap(row) ? 'gap' : isFault(row) ? 'fault' : 'frame';
    const look = `${kind} ${isSelected}`;
    line.node.setAttribute('aria-rowindex', String(index + 2));
    if (line.look === look) return;
    line.look = look;
    line.node.hidden = false;
    line.node.dataset.row = kind;
    line.node.setAttribute('aria-selected', String(isSelected));
  }

  #fill({ cells, shown }: Line, row: FrameRow): void {
    for (const [i, { text, paint }] of this.#columns.entries()) {
      const cell = cells[i] as HTMLTableCellElement;
      const wanted = paint ? `${text(row)} ${row.changedLow} ${row.changedHigh}` : text(row);
      if (shown[i] === wanted) continue;
      shown[i] = wanted;
      if (paint) paint(cell, row);
      else cell.textContent = wanted;
    }
  }
}
