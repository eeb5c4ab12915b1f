import { effect } from '@preact/signals';
import { type FrameRow, RowWindow } from '../../trace-core/frame-row.ts';
import type { WindowFacts, WindowPlace, WindowRequest } from '../../trace-core/trace-engine.ts';
import { rowHeight } from '../../ui/data-table.tsx';
import type { FrameColumn } from './frame-columns.ts';
import { RowPool } from './row-pool.ts';
import { askWindow, foundEvent, olderResult, returnBuffer } from './trace-client.ts';
import type { WindowAnswer } from './trace-messages.ts';
import { isDetailOpen, isPaused, pause, redraws, selected, selectedSerial } from './trace-state.ts';

/** The scroll height is approximate while rows are followed: each change lays out all rows. */
const roughly = (rows: number): number => 2 ** Math.ceil(Math.log2(rows));
const factsMs = 200;
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
  #scrollTop = 0;
  #heightInRows = 0;
  #isAtEnd = false;
  #anchor: { serial: number; shift: number } | null = null;
  #selectsNext: { end: 'first' | 'last'; number: number } | null = null;
  #frame = 0;
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
    this.#scrollTop = scroller.scrollTop;
    const resized = new ResizeObserver(() => {
      this.#height = scroller.clientHeight;
      this.#isAtEnd = false;
      this.poke();
    });
    resized.observe(scroller);
    return () => {
      resized.disconnect();
      cancelAnimationFrame(this.#frame);
      clearTimeout(this.#factsTimer);
      this.#isStopped = true;
      for (const answer of [this.#answer, this.#shown]) if (answer) returnBuffer(answer);
    };
  }

  follow(): (() => void)[] {
    return [
      effect(() => {
        void [redraws.value, selectedSerial.value];
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
        const serial = foundEvent.value?.serial ?? null;
        if (serial === null || this.#view !== 'frames') return;
        this.#anchor = { serial, shift: -contextRows };
        this.poke();
      }),
    ];
  }

  poke(): void {
    this.#ask(true);
  }

  scrolled(): void {
    const { scroller } = this.#nodes;
    const before = this.#scrollTop;
    this.#scrollTop = scroller.scrollTop;
    const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    // The event of the table's own scrolling can come when a banner has just taken some height.
    const isUp = this.#scrollTop < before;
    if (this.#isFollowing && isUp && below >= rowHeight) this.hold(-Math.round(below / rowHeight));
    this.poke();
  }

  hold(shift = 0): void {
    const serial = this.#rows.serialAt(0);
    if (serial !== null) this.#anchor = { serial, shift };
    pause();
    this.poke();
  }

  keepPlace(): void {
    const serial = this.#rows.serialAt(0);
    if (serial !== null) this.#anchor ??= { serial, shift: 0 };
    this.poke();
  }

  step(by: 1 | -1): void {
    if (this.#isFollowing) this.hold();
    const rows = this.#rows;
    const at = rows.indexOf(selectedSerial.peek());
    const next = rows.at(at < 0 ? (by > 0 ? 0 : rows.count - 1) : at + by);
    if (next) {
      selected.value = next;
      this.poke();
      return;
    }
    this.#scrollTo(this.#nodes.scroller.scrollTop + by * rowHeight);
    this.poke();
    this.#selectsNext = { end: by > 0 ? 'last' : 'first', number: this.#asked };
  }

  rowAt(node: EventTarget | null): FrameRow | null {
    return this.#rows.at(this.#pool.indexOf(node));
  }

  get #isFollowing(): boolean {
    return this.#view === 'frames' && !isPaused.peek();
  }

  #ask(isImmediate: boolean): void {
    if (this.#isStopped || this.#height === 0) return;
    const request = {
      view: this.#view,
      rows: Math.max(1, Math.floor(this.#height / rowHeight) - 1),
      place: this.#place(),
      selected: this.#view === 'by-id' ? selectedSerial.peek() : null,
    };
    this.#asked = askWindow(request, isImmediate, this.#receive);
    this.#isAwaiting = true;
  }

  readonly #receive = (answer: WindowAnswer): void => {
    this.#isAwaiting = false;
    if (this.#isStopped) {
      returnBuffer(answer);
      return;
    }
    if (this.#answer) returnBuffer(this.#answer);
    else this.#frame = requestAnimationFrame(this.#show);
    this.#answer = answer;
    // The table can have requested other rows in the meantime.
    if (answer.number !== this.#asked) this.#ask(true);
  };

  readonly #show = (): void => {
    const answer = this.#answer;
    if (!answer) return;
    this.#answer = null;
    if (this.#isWanted(answer)) this.#draw(answer);
    else returnBuffer(answer);
    if (!this.#isAwaiting) this.#ask(false);
  };

  #place(): WindowPlace {
    if (this.#anchor) return { at: 'serial', ...this.#anchor };
    if (this.#isFollowing) return { at: 'end' };
    return { at: 'index', index: Math.ceil(this.#scrollTop / rowHeight) };
  }

  #isWanted({ request: { view, place } }: WindowAnswer): boolean {
    return view === this.#view && (this.#anchor === null || place.at === 'serial');
  }

  #draw(answer: WindowAnswer): void {
    const { number, buffer, facts, request } = answer;
    if (this.#shown) returnBuffer(this.#shown);
    this.#shown = answer;
    this.#rows = new RowWindow(buffer, facts.rows);
    this.#renewed = facts.hasSelected ? new RowWindow(buffer, facts.rows + 1).at(facts.rows) : null;
    this.#originUs = facts.originUs;
    if (this.#selectsNext && number >= this.#selectsNext.number) this.#selectNext();
    this.#selectFound();
    const first = request.place.at === 'end' ? null : facts.first;
    this.#pool.draw(this.#rows, first, selectedSerial.peek());
    this.#showPlace(facts, request.place);
    this.#facts = facts;
    const waitMs = isPaused.peek() ? 0 : this.#factsAt + factsMs - performance.now();
    if (waitMs <= 0) this.#reportFacts();
    else this.#factsTimer ??= setTimeout(this.#reportFacts, waitMs);
  }

  readonly #reportFacts = (): void => {
    clearTimeout(this.#factsTimer);
    this.#factsTimer = undefined;
    this.#factsAt = performance.now();
    if (this.#facts) this.#onFacts(this.#facts);
    if (this.#renewed?.serial === selectedSerial.peek()) selected.value = this.#renewed;
  };

  #selectNext(): void {
    const row = this.#rows.at(this.#selectsNext?.end === 'first' ? 0 : this.#rows.count - 1);
    this.#selectsNext = null;
    if (row) selected.value = row;
  }

  /** Once it is shown, the user may scroll away from it. */
  #selectFound(): void {
    const serial = foundEvent.peek()?.serial ?? null;
    const row = serial === null ? null : this.#rows.at(this.#rows.indexOf(serial));
    if (!row) return;
    foundEvent.value = null;
    selected.value = row;
    isDetailOpen.value = true;
  }

  #showPlace({ first, count, rows }: WindowFacts, place: WindowPlace): void {
    const { sizer, table } = this.#nodes;
    const isAtEnd = place.at === 'end' && rows < count;
    const height = (isAtEnd ? roughly(count) : count) + 1;
    const isResized = height !== this.#heightInRows;
    if (isResized) {
      this.#heightInRows = height;
      sizer.style.height = `${height * rowHeight}px`;
      table.setAttribute('aria-rowcount', String(height));
    }
    if (isAtEnd && (isResized || !this.#isAtEnd)) this.#scrollTo(height * rowHeight);
    this.#isAtEnd = isAtEnd;
    const anchor = this.#anchor;
    if (place.at !== 'serial' || place.serial !== anchor?.serial || place.shift !== anchor.shift) {
      return;
    }
    this.#anchor = null;
    this.#scrollTo(first * rowHeight);
  }

  #scrollTo(top: number): void {
    const { scroller } = this.#nodes;
    scroller.scrollTop = top;
    this.#scrollTop = scroller.scrollTop;
  }
}
