import { type FrameRow, isDropped, isGap, type RowWindow } from '../../trace-core/frame-row.ts';
import { isFault } from '../../trace-core/frame-text.ts';
import { signalTexts } from './expansion.ts';
import type { FrameColumn } from './frame-columns.ts';
import { gapText } from './trace-state.ts';

interface RowElement {
  readonly node: HTMLTableRowElement;
  readonly cells: readonly HTMLTableCellElement[];
  /** Changing a text node is cheaper than replacing it. */
  readonly texts: readonly Text[];
  readonly gap: HTMLTableCellElement;
  /** The parts of a signal line. */
  readonly signal: readonly Text[];
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
  const line = node.insertCell();
  line.colSpan = columns.length;
  line.className = 'signal-line';
  const signal = ['name', 'value', 'raw'].map((part) => {
    const span = line.appendChild(document.createElement('span'));
    span.className = part;
    return span.appendChild(document.createTextNode(''));
  });
  return { node, cells, texts, gap, signal, shown: columns.map(() => ''), look: '', index: null };
};

const rowKind = (row: FrameRow): string => {
  if (row.line > 0) return 'signal';
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
  draw(rows: RowWindow, first: number | null, selected: ReadonlySet<number>): void {
    for (let i = 0; i < rows.count; i++) {
      const element = this.#elements[i] ?? this.#add();
      const row = rows.glance(i);
      this.#look(element, row, row.line === 0 && selected.has(row.serial));
      this.#place(element, first === null ? null : first + i + rowsBefore);
      if (row.line > 0) this.#fillLine(element, row);
      else if (isGap(row)) element.gap.textContent = `▲ ${gapText(row)}`;
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

  #fillLine({ signal }: RowElement, row: FrameRow): void {
    for (const [part, text] of signalTexts(row).entries()) {
      const node = signal[part] as Text;
      if (node.data !== text) node.data = text;
    }
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
