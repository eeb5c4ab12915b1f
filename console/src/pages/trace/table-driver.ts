import { effect } from '@preact/signals';
import { pageId } from '../../state/route.ts';
import { type FrameRow, readRow } from '../../trace-core/frame-row.ts';
import type { WindowFacts, WindowPlace } from '../../trace-core/trace-engine.ts';
import { rowHeight } from '../../ui/data-table.tsx';
import type { FrameColumn } from './frame-columns.ts';
import { RowPool } from './row-pool.ts';
import { askWindow, isAwaitingWindow, olderResult, returnBuffer } from './trace-client.ts';
import type { WindowAnswer } from './trace-messages.ts';
import {
  isPaused,
  pause,
  redraws,
  selected,
  selectedSerial,
  type TraceView,
} from './trace-state.ts';

/** How often to ask again when nothing has changed. */
const idleMs = 100;
/**
 * While rows are followed, the scroll bar tells their number in such steps: each move of it costs
 * the layout of all rows, which would be done twice at every frame of the screen.
 */
const roundedRows = 8192;
/** How often figures about the rows are renewed: nobody reads faster. */
const factsMs = 200;

export interface TableNodes {
  readonly scroller: HTMLElement;
  /** As tall as all rows together would be. */
  readonly sizer: HTMLElement;
  readonly table: HTMLTableElement;
  readonly body: HTMLTableSectionElement;
}

/**
 * Fills the table: asks the worker for the rows in sight at every frame of the screen, and writes
 * them. The table itself stays in place; the scroller only tells which rows are meant.
 */
export class TableDriver {
  readonly #view: TraceView;
  readonly #nodes: TableNodes;
  readonly #pool: RowPool;
  readonly #onFacts: (facts: WindowFacts) => void;
  #rows: readonly FrameRow[] = [];
  #factsAt = 0;
  #answer: WindowAnswer | null = null;
  #revision = -1;
  #notBefore = 0;
  #height = 0;
  #heightInRows = 0;
  /** Whether the scroll bar is known to be at its end. */
  #isAtEnd = false;
  #anchor: { serial: number; shift: number } | null = null;
  #selectsNext: 'first' | 'last' | null = null;
  #frame = 0;
  #isStopped = false;

  constructor(
    view: TraceView,
    nodes: TableNodes,
    columns: readonly FrameColumn[],
    onFacts: (facts: WindowFacts) => void,
  ) {
    this.#view = view;
    this.#nodes = nodes;
    this.#pool = new RowPool(nodes.body, columns);
    this.#onFacts = onFacts;
  }

  /** What is on the screen. */
  get rows(): readonly FrameRow[] {
    return this.#rows;
  }

  start(): () => void {
    const { scroller } = this.#nodes;
    const resized = new ResizeObserver(() => {
      this.#height = scroller.clientHeight;
      this.#isAtEnd = false;
      this.poke();
    });
    resized.observe(scroller);
    this.#frame = requestAnimationFrame(this.#tick);
    return () => {
      resized.disconnect();
      cancelAnimationFrame(this.#frame);
      this.#isStopped = true;
      if (this.#answer) returnBuffer(this.#answer);
    };
  }

  /** Asks anew, and keeps its place, when what others decide makes it. Answers how to stop. */
  follow(): (() => void)[] {
    return [
      effect(() => {
        void [redraws.value, selectedSerial.value];
        this.poke();
      }),
      // At once: before a window is drawn that has other rows at the same place.
      effect(() => {
        if (isPaused.value && this.#view === 'frames') this.keepPlace();
        this.poke();
      }),
      effect(() => {
        if ((olderResult.value?.added ?? 0) > 0) this.keepPlace();
      }),
    ];
  }

  /** Asks anew although the worker may know of no reason. */
  poke(): void {
    this.#revision = -1;
    this.#notBefore = 0;
  }

  scrolled(): void {
    const { scroller } = this.#nodes;
    const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    if (this.#isFollowing && below >= rowHeight) this.hold(-Math.round(below / rowHeight));
    this.poke();
  }

  /** Stops following and keeps the rows in sight that are, or those so many rows further. */
  hold(shift = 0): void {
    const [first] = this.#rows;
    if (first) this.#anchor = { serial: first.serial, shift };
    pause();
    this.poke();
  }

  /** Keeps the rows in sight although others will be put in front of them. */
  keepPlace(): void {
    const [first] = this.#rows;
    if (first) this.#anchor ??= { serial: first.serial, shift: 0 };
    this.poke();
  }

  /** Moves the selection, and the rows with it where it leaves them. */
  step(by: 1 | -1): void {
    if (this.#isFollowing) this.hold();
    const rows = this.#rows;
    const at = rows.findIndex(({ serial }) => serial === selected.peek()?.serial);
    const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
    if (next) selected.value = next;
    else {
      this.#selectsNext = by > 0 ? 'last' : 'first';
      this.#nodes.scroller.scrollTop += by * rowHeight;
    }
    this.poke();
  }

  rowAt(node: EventTarget | null): FrameRow | null {
    return this.#rows[this.#pool.indexOf(node)] ?? null;
  }

  get #isFollowing(): boolean {
    return this.#view === 'frames' && !isPaused.peek();
  }

  readonly #tick = (now: number): void => {
    this.#frame = requestAnimationFrame(this.#tick);
    if (pageId.peek() !== 'trace') return;
    if (this.#answer) this.#take(this.#answer, now);
    if (isAwaitingWindow() || now < this.#notBefore) return;
    const request = {
      view: this.#view,
      rows: Math.max(1, Math.floor(this.#height / rowHeight) - 1),
      place: this.#place(),
      selected: this.#view === 'by-id' ? (selected.peek()?.serial ?? null) : null,
    };
    askWindow(request, this.#revision, (answer) => {
      if (this.#isStopped) returnBuffer(answer);
      else this.#answer = answer;
    });
    this.#revision = Number.NaN;
  };

  #place(): WindowPlace {
    if (this.#anchor) return { at: 'serial', ...this.#anchor };
    if (this.#isFollowing) return { at: 'end' };
    return { at: 'index', index: Math.ceil(this.#nodes.scroller.scrollTop / rowHeight) };
  }

  #take(answer: WindowAnswer, now: number): void {
    this.#answer = null;
    const { facts, request, revision } = answer;
    // Somebody may have scrolled or poked while it was on its way.
    const isStale = !Number.isNaN(this.#revision);
    if (!isStale) this.#revision = revision;
    if (facts === null) this.#notBefore = isStale ? 0 : now + idleMs;
    else if (request.view === this.#view) this.#draw(facts, answer, now);
    returnBuffer(answer);
  }

  #draw(facts: WindowFacts, { buffer, request }: WindowAnswer, now: number): void {
    const view = new DataView(buffer);
    this.#rows = Array.from({ length: facts.rows }, (_, i) => readRow(view, i));
    if (facts.hasSelected) selected.value = readRow(view, facts.rows);
    this.#selectWaiting();
    this.#pool.draw(this.#rows, facts.first, selected.peek()?.serial ?? null);
    this.#showPlace(facts, request.place);
    const isDue = now - this.#factsAt >= factsMs || !this.#isFollowing;
    if (!isDue) return;
    this.#factsAt = now;
    this.#onFacts(facts);
  }

  #selectWaiting(): void {
    if (this.#selectsNext === null) return;
    const row = this.#selectsNext === 'first' ? this.#rows[0] : this.#rows.at(-1);
    this.#selectsNext = null;
    if (row) selected.value = row;
  }

  /** Makes the scroll bar say where the rows are. */
  #showPlace({ first, count, rows }: WindowFacts, place: WindowPlace): void {
    const { scroller, sizer, table } = this.#nodes;
    const isAtEnd = place.at === 'end' && rows < count;
    const height = (isAtEnd ? Math.ceil(count / roundedRows) * roundedRows : count) + 1;
    const isResized = height !== this.#heightInRows;
    if (isResized) {
      this.#heightInRows = height;
      sizer.style.height = `${height * rowHeight}px`;
      table.setAttribute('aria-rowcount', String(height));
    }
    if (isAtEnd && (isResized || !this.#isAtEnd)) scroller.scrollTop = height * rowHeight;
    this.#isAtEnd = isAtEnd;
    if (place.at !== 'serial') return;
    this.#anchor = null;
    scroller.scrollTop = first * rowHeight;
  }
}
