import { type FrameRow, isDropped, isGap, type RowWindow } from '../../trace-core/frame-row.ts';
import { gapSentence, isFault } from '../../trace-core/frame-text.ts';
import type { FrameColumn } from './frame-columns.ts';

interface RowElement {
  readonly node: HTMLTableRowElement;
  readonly cells: readonly HTMLTableCellElement[];
  /** Changing a text node is cheaper than replacing it. */
  readonly texts: readonly Text[];
  readonly gap: HTMLTableCellElement;
  readonly shown: string[];
  look: string;
  index: number | null;
}

/** `aria-rowindex` starts at 1, and the head is row 1. */
const rowsBefore = 2;

const newRowElement = (columns: readonly FrameColumn[]): RowElement => {
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

const rowKind = (row: FrameRow): string => {
  if (isGap(row)) return 'gap';
  if (isDropped(row)) return 'dropped';
  return isFault(row) ? 'fault' : 'frame';
};

/** Rows of a table body, written directly: a virtual DOM diff of hundreds of cells costs more. */
export class RowPool {
  readonly #body: HTMLTableSectionElement;
  readonly #columns: readonly FrameColumn[];
  readonly #elements: RowElement[] = [];

  constructor(body: HTMLTableSectionElement, columns: readonly FrameColumn[]) {
    this.#body = body;
    this.#columns = columns;
    body.replaceChildren();
  }

  /** `first` is null while rows are followed, because their index changes constantly. */
  draw(rows: RowWindow, first: number | null, selectedSerial: number | null): void {
    for (let i = 0; i < rows.count; i++) {
      const element = this.#elements[i] ?? this.#add();
      const row = rows.glance(i);
      this.#look(element, row, row.serial === selectedSerial);
      this.#place(element, first === null ? null : first + i + rowsBefore);
      if (isGap(row)) element.gap.textContent = `▲ ${gapSentence(row.sequence, row.eventId)}`;
      else this.#fill(element, row);
    }
    for (let i = rows.count; i < this.#elements.length; i++) {
      const element = this.#elements[i] as RowElement;
      element.node.hidden = true;
      element.look = '';
    }
  }

  indexOf(node: EventTarget | null): number {
    const row = node instanceof Element ? node.closest('tr') : null;
    return this.#elements.findIndex((element) => element.node === row);
  }

  #add(): RowElement {
    const element = newRowElement(this.#columns);
    this.#elements.push(element);
    this.#body.append(element.node);
    return element;
  }

  #place(element: RowElement, index: number | null): void {
    if (element.index === index) return;
    element.index = index;
    if (index === null) element.node.removeAttribute('aria-rowindex');
    else element.node.setAttribute('aria-rowindex', String(index));
  }

  #look(element: RowElement, row: FrameRow, isSelected: boolean): void {
    const kind = rowKind(row);
    const look = `${kind} ${isSelected}`;
    if (element.look === look) return;
    element.look = look;
    element.node.hidden = false;
    element.node.dataset.row = kind;
    element.node.setAttribute('aria-selected', String(isSelected));
  }

  #fill({ cells, texts, shown }: RowElement, row: FrameRow): void {
    for (const [i, { text, paint }] of this.#columns.entries()) {
      const wanted = paint ? `${text(row)} ${row.changedLow} ${row.changedHigh}` : text(row);
      if (shown[i] === wanted) continue;
      shown[i] = wanted;
      if (paint) paint(cells[i] as HTMLTableCellElement, row);
      else (texts[i] as Text).data = wanted;
    }
  }
}
