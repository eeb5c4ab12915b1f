import { effect } from '@preact/signals';
import { pictures } from '../../state/pictures.ts';
import { type FrameRow, RowWindow } from '../../trace-core/frame-row.ts';
import type {
  WindowAnswer,
  WindowFacts,
  WindowPlace,
  WindowRequest,
} from '../../trace-core/row-windows.ts';
import { rowHeight } from '../../ui/data-table.tsx';
import type { FrameColumn } from './frame-columns.ts';
import { RowPool } from './row-pool.ts';
import { RowScroll } from './row-scroll.ts';
import { selectedSerials, selectOnly } from './selection.ts';
import { olderResult, shownRows } from './trace-client.ts';
import {
  isDetailOpen,
  isFollowing,
  isPaused,
  keptRow,
  pause,
  redraws,
  selected,
  selectedSerial,
} from './trace-state.ts';

/** The scroll height is approximate while rows are followed: each change lays out all rows. */
const roughly = (rows: number): number => 2 ** Math.ceil(Math.log2(rows));
const factsMs = 200;
/** Facts are reported with the rows that are drawn about that time, or later alone. */
const factsSlackMs = 60;
/** Rows before an event that a link names. */
const contextRows = 5;

interface TableNodes {
  readonly scroller: HTMLElement;
  readonly sizer: HTMLElement;
  readonly table: HTMLTableElement;
  readonly body: HTMLTableSectionElement;
}

/**
 * Fills the table: requests the visible rows, draws them in the next animation frame, then requests
 * the next ones. The table keeps its position; the scroller only determines the visible rows.
 */
export class TableDriver {
  readonly #view: WindowRequest['view'];
  readonly #nodes: TableNodes;
  readonly #pool: RowPool;
  readonly #source = shownRows.peek();
  readonly #windows = this.#source.windows;
  readonly #scroll: RowScroll;
  readonly #onFacts: (facts: WindowFacts) => void;
  #shown: WindowAnswer | null = null;
  #rows = new RowWindow(new ArrayBuffer(0), 0);
  #originUs = Number.NaN;
  #facts: WindowFacts | null = null;
  #factsAt = 0;
  #factsTimer: ReturnType<typeof setTimeout> | undefined;
  #renewed: FrameRow | null = null;
  #asked = 0;
  #isAwaiting = false;
  #answer: WindowAnswer | null = null;
  #height = 0;
  #isAtEnd = false;
  #anchor: { serial: number; shift: number } | null = null;
  #selectsNext: { by: 1 | -1; number: number; select: (row: FrameRow) => void } | null = null;
  #cancelDraw = (): void => {};
  #isStopped = false;

  constructor(
    view: WindowRequest['view'],
    nodes: TableNodes,
    columns: readonly FrameColumn[],
    onFacts: (facts: WindowFacts) => void,
    firstSerial: number | null = null,
  ) {
    this.#view = view;
    if (firstSerial !== null) this.#anchor = { serial: firstSerial, shift: 0 };
    this.#nodes = nodes;
    this.#pool = new RowPool(nodes.body, columns);
    this.#scroll = new RowScroll(nodes.scroller, rowHeight);
    this.#onFacts = onFacts;
  }

  get rows(): readonly FrameRow[] {
    return this.#rows.all();
  }

  get firstSerial(): number | null {
    return this.#rows.serialAt(0);
  }

  get originUs(): number {
    return this.#originUs;
  }

  start(): () => void {
    const { scroller } = this.#nodes;
    const resized = new ResizeObserver(() => {
      this.#height = scroller.clientHeight;
      this.#isAtEnd = false;
      this.poke();
    });
    resized.observe(scroller);
    return () => {
      resized.disconnect();
      this.#cancelDraw();
      clearTimeout(this.#factsTimer);
      this.#isStopped = true;
      for (const answer of [this.#answer, this.#shown]) if (answer) this.#windows.free(answer);
    };
  }

  follow(): (() => void)[] {
    return [
      effect(() => {
        void [redraws.value, selectedSerials.value];
        this.poke();
      }),
      // Done immediately, before a window with other rows is drawn at the same position.
      effect(() => {
        if (isPaused.value && this.#view === 'frames') this.keepPlace();
        this.poke();
      }),
      effect(() => {
        if ((olderResult.value?.added ?? 0) > 0 && this.#view === 'frames') this.keepPlace();
      }),
      effect(() => {
        this.#showRow(this.#source.found.value?.serial ?? null);
      }),
      effect(() => {
        this.#showRow(keptRow.value?.serial ?? null);
      }),
    ];
  }

  #showRow(serial: number | null): void {
    if (serial === null || this.#view !== 'frames') return;
    this.#anchor = { serial, shift: -contextRows };
    this.poke();
  }

  poke(): void {
    this.#ask(true);
  }

  scrolled(): void {
    const { scroller } = this.#nodes;
    const before = this.#scroll.top;
    this.#scroll.read();
    const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    // The event of the table's own scrolling can come when a banner has just taken some height.
    const isUp = this.#scroll.top < before;
    if (this.#isFollowing && isUp && below >= rowHeight) this.hold(-Math.round(below / rowHeight));
    this.poke();
  }

  hold(shift = 0): void {
    const serial = this.#rows.serialAt(0);
    if (serial !== null) this.#anchor = { serial, shift: shift + this.#rows.lineAt(0) };
    if (this.#view === 'frames') pause();
    this.poke();
  }

  keepPlace(): void {
    const serial = this.#rows.serialAt(0);
    if (serial !== null) this.#anchor ??= { serial, shift: this.#rows.lineAt(0) };
    this.poke();
  }

  step(by: 1 | -1, select: (row: FrameRow) => void): void {
    if (this.#isFollowing) this.hold();
    const rows = this.#rows;
    const at = rows.indexOf(selectedSerial.peek());
    const next = this.#frameFrom(at < 0 ? (by > 0 ? 0 : rows.count - 1) : at + by, by);
    if (next) {
      select(next);
      this.poke();
      return;
    }
    this.#scroll.moveTo(this.#scroll.top + by * rowHeight);
    this.poke();
    this.#selectsNext = { by, number: this.#asked, select };
  }

  /** Moves by a page where the browser would move by many. */
  turnPage(key: string): boolean {
    const tops: Readonly<Record<string, number>> = {
      PageDown: this.#scroll.top + this.#height - rowHeight,
      PageUp: this.#scroll.top - this.#height + rowHeight,
    };
    const top = tops[key];
    if (top === undefined || !this.#scroll.isScaled) return false;
    this.#scroll.moveTo(top);
    this.poke();
    return true;
  }

  /** Moves by rows where the browser would move by many. */
  turnWheel(event: WheelEvent): void {
    if (!this.#scroll.isScaled || event.deltaY === 0 || event.ctrlKey) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : rowHeight;
    this.#scroll.moveTo(this.#scroll.top + event.deltaY * pixels);
    this.poke();
  }

  rowAt(node: EventTarget | null): FrameRow | null {
    return this.#rows.at(this.#pool.indexOf(node));
  }

  /** The first row from an index on that is no signal line. */
  #frameFrom(index: number, by: 1 | -1): FrameRow | null {
    let at = index;
    while (at >= 0 && at < this.#rows.count && this.#rows.lineAt(at) > 0) at += by;
    return this.#rows.at(at);
  }

  get #isFollowing(): boolean {
    return this.#view === 'frames' && isFollowing.peek();
  }

  #ask(isImmediate: boolean): void {
    if (this.#isStopped || this.#height === 0) return;
    const request = {
      view: this.#view,
      rows: Math.max(1, Math.floor(this.#height / rowHeight) - 1),
      place: this.#place(),
      selected: this.#view === 'by-id' ? selectedSerial.peek() : null,
    };
    this.#asked = this.#windows.ask(request, isImmediate, this.#receive);
    this.#isAwaiting = true;
  }

  readonly #receive = (answer: WindowAnswer): void => {
    this.#isAwaiting = false;
    if (this.#isStopped) {
      this.#windows.free(answer);
      return;
    }
    if (this.#answer) this.#windows.free(this.#answer);
    else this.#cancelDraw = pictures.join(this.#show);
    this.#answer = answer;
    // The table can have requested other rows in the meantime.
    if (answer.number !== this.#asked) this.#ask(true);
  };

  readonly #show = (): void => {
    const answer = this.#answer;
    if (!answer) return;
    this.#answer = null;
    if (this.#isWanted(answer)) this.#draw(answer);
    else this.#windows.free(answer);
    if (!this.#isAwaiting) this.#ask(false);
  };

  #place(): WindowPlace {
    if (this.#anchor) return { at: 'serial', ...this.#anchor };
    if (this.#isFollowing) return { at: 'end' };
    return { at: 'index', index: Math.ceil(this.#scroll.top / rowHeight) };
  }

  #isWanted({ request: { view, place } }: WindowAnswer): boolean {
    return view === this.#view && (this.#anchor === null || place.at === 'serial');
  }

  #draw(answer: WindowAnswer): void {
    const { number, buffer, facts, request } = answer;
    if (this.#shown) this.#windows.free(this.#shown);
    this.#shown = answer;
    this.#rows = new RowWindow(buffer, facts.rows);
    this.#renewed = facts.hasSelected ? new RowWindow(buffer, facts.rows + 1).at(facts.rows) : null;
    this.#originUs = facts.originUs;
    if (this.#selectsNext && number >= this.#selectsNext.number) this.#selectNext();
    this.#selectFound();
    const first = request.place.at === 'end' ? null : facts.first;
    this.#pool.draw(this.#rows, first, selectedSerials.peek());
    this.#showPlace(facts, request.place);
    this.#facts = facts;
    const waitMs = isPaused.peek() ? 0 : this.#factsAt + factsMs - performance.now();
    if (waitMs <= factsSlackMs) this.#reportFacts();
    else this.#factsTimer ??= setTimeout(this.#reportFacts, waitMs + factsSlackMs);
  }

  readonly #reportFacts = (): void => {
    clearTimeout(this.#factsTimer);
    this.#factsTimer = undefined;
    this.#factsAt = performance.now();
    if (this.#facts) this.#onFacts(this.#facts);
    if (this.#renewed?.serial === selectedSerial.peek()) selected.value = this.#renewed;
  };

  #selectNext(): void {
    const { by, select } = this.#selectsNext ?? { by: 1, select: () => {} };
    this.#selectsNext = null;
    const row = this.#frameFrom(by < 0 ? 0 : this.#rows.count - 1, by < 0 ? 1 : -1);
    if (row) select(row);
  }

  /** Once it is shown, the user may scroll away from it. */
  #selectFound(): void {
    const found = this.#source.found.peek();
    const row = this.#rows.at(this.#rows.indexOf(found?.serial ?? null));
    if (!row) return;
    this.#source.found.value = null;
    selectOnly(row);
    if (found?.eventId !== null) isDetailOpen.value = true;
  }

  #showPlace({ first, lines }: WindowFacts, place: WindowPlace): void {
    const { sizer, table } = this.#nodes;
    const isAtEnd = place.at === 'end' && first > 0;
    const height = (isAtEnd ? roughly(lines) : lines) + 1;
    const isResized = this.#scroll.resize(height);
    if (isResized) {
      sizer.style.height = `${this.#scroll.height}px`;
      table.setAttribute('aria-rowcount', String(height));
    }
    if (isAtEnd && (isResized || !this.#isAtEnd)) this.#scroll.moveTo(height * rowHeight);
    this.#isAtEnd = isAtEnd;
    const anchor = this.#anchor;
    if (place.at !== 'serial' || place.serial !== anchor?.serial || place.shift !== anchor.shift) {
      return;
    }
    this.#anchor = null;
    this.#scroll.moveTo(first * rowHeight);
  }
}
