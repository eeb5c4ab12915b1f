/** Browsers limit the height of an element; the lowest limit is 17.8 million pixels. */
const maxHeight = 15_000_000;

type Scroller = Pick<HTMLElement, 'scrollTop' | 'clientHeight'>;

/**
 * Position of a table in rows, which can be more than a browser can scroll. The scroll bar then
 * moves by several rows per pixel; wheel and keys move by rows.
 *
 *   rows       0 ─────────────── top ──────────────── count
 *   pixels     0 ── scrollTop ───────── maxHeight
 */
export class RowScroll {
  readonly #scroller: Scroller;
  readonly #rowHeight: number;
  #heightInRows = 0;
  /** Position in pixels as if the table had its full height. */
  #top: number;
  #scrollTop: number;

  constructor(scroller: Scroller, rowHeight: number) {
    this.#scroller = scroller;
    this.#rowHeight = rowHeight;
    this.#scrollTop = scroller.scrollTop;
    this.#top = this.#scrollTop;
  }

  get top(): number {
    return this.#top;
  }

  get height(): number {
    return Math.min(this.#fullHeight, maxHeight);
  }

  get isScaled(): boolean {
    return this.#fullHeight > maxHeight;
  }

  /** Returns whether the height changed. */
  resize(heightInRows: number): boolean {
    const isChanged = heightInRows !== this.#heightInRows;
    this.#heightInRows = heightInRows;
    return isChanged;
  }

  /** Reads the position after the scroller has moved. */
  read(): void {
    const { scrollTop } = this.#scroller;
    if (scrollTop === this.#scrollTop) return;
    this.#scrollTop = scrollTop;
    this.#top = scrollTop * this.#scale;
  }

  moveTo(top: number): void {
    this.#scroller.scrollTop = top / this.#scale;
    this.#scrollTop = this.#scroller.scrollTop;
    const max = this.#fullHeight - this.#scroller.clientHeight;
    this.#top = this.isScaled ? Math.max(0, Math.min(top, max)) : this.#scrollTop;
  }

  get #fullHeight(): number {
    return this.#heightInRows * this.#rowHeight;
  }

  get #scale(): number {
    if (!this.isScaled) return 1;
    const { clientHeight } = this.#scroller;
    return (this.#fullHeight - clientHeight) / (maxHeight - clientHeight);
  }
}
