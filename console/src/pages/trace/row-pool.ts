import { type FrameRow, isGap, type RowWindow } from '../../trace-core/frame-row.ts';
import { isFault } from '../../trace-core/frame-text.ts';
import { gapSentence } from '../../trace-core/gap-text.ts';
import type { FrameColumn } from './frame-columns.ts';

/** A row of the document and what it shows, so that only what differs is written. */
interface Line {
  readonly node: HTMLTableRowElement;
  readonly cells: readonly HTMLTableCellElement[];
  /** What is in the cells: another text costs less than another node. */
  readonly texts: readonly Text[];
  readonly gap: HTMLTableCellElement;
  readonly shown: string[];
  look: string;
  /** Its place among all rows, for those who cannot see it. */
  index: number | null;
}

/** Rows are counted from one, and the head is one. */
const rowsBefore = 2;

const newLine = (columns: readonly FrameColumn[]): Line => {
  const node = document.createElement('tr');
  const cells = columns.map(({ id, align, mono }) => {
    const cell = node.insertCell();
    cell.dataset.field = id;
    cell.className = [align === 'end' ? 'number' : '', mono ? 'mono' : ''].join(' ').trim();
    return cell;
  });
  const texts = cells.map((cell) => cell.appendChild(document.createTextNode('')));
  const gap = node.insertCell();
  gap.colSpan = columns.length;
  gap.className = 'gap';
  return { node, cells, texts, gap, shown: columns.map(() => ''), look: '', index: null };
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

  /** Shows the rows. Those that run past tell no place: it would not be theirs for long. */
  draw(rows: RowWindow, first: number | null, selectedSerial: number | null): void {
    for (let i = 0; i < rows.count; i++) {
      const line = this.#lines[i] ?? this.#add();
      const row = rows.glance(i);
      this.#look(line, row, row.serial === selectedSerial);
      this.#place(line, first === null ? null : first + i + rowsBefore);
      if (isGap(row)) line.gap.textContent = `▲ ${gapSentence(row.sequence, row.eventId)}`;
      else this.#fill(line, row);
    }
    for (let i = rows.count; i < this.#lines.length; i++) {
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

  #place(line: Line, index: number | null): void {
    if (line.index === index) return;
    line.index = index;
    if (index === null) line.node.removeAttribute('aria-rowindex');
    else line.node.setAttribute('aria-rowindex', String(index));
  }

  #look(line: Line, row: FrameRow, isSelected: boolean): void {
    const kind = isGap(row) ? 'gap' : isFault(row) ? 'fault' : 'frame';
    const look = `${kind} ${isSelected}`;
    if (line.look === look) return;
    line.look = look;
    line.node.hidden = false;
    line.node.dataset.row = kind;
    line.node.setAttribute('aria-selected', String(isSelected));
  }

  #fill({ cells, texts, shown }: Line, row: FrameRow): void {
    for (const [i, { text, paint }] of this.#columns.entries()) {
      const wanted = paint ? `${text(row)} ${row.changedLow} ${row.changedHigh}` : text(row);
      if (shown[i] === wanted) continue;
      shown[i] = wanted;
      if (paint) paint(cells[i] as HTMLTableCellElement, row);
      else (texts[i] as Text).data = wanted;
    }
  }
}
