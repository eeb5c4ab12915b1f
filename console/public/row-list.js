const isBefore = (one, other) => {
  const differs = one.order.findIndex((part, index) => part !== other.order[index]);
  return differs >= 0 && one.order[differs] < other.order[differs];
};

/**
 * The rows of a table, kept in order, of which a filter shows some. Only those on the screen are
 * drawn: laying out hundreds of rows costs far more than all the rest.
 *
 * A row has a `node`, an `order` to be sorted by, part by part, and `matches(words)`.
 */
export class RowList {
  #body;
  #rows = [];
  #onScreen = new Set();
  #observer;
  #words = [];

  /** `onScroll` is called when rows came onto the screen that want to be drawn. */
  constructor(body, onScroll) {
    this.#body = body;
    this.#observer = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) this.#onScreen.add(target);
        else this.#onScreen.delete(target);
      }
      onScroll();
    });
  }

  get size() {
    return this.#rows.length;
  }

  get shown() {
    return this.#rows.filter(({ node }) => !node.hidden).length;
  }

  get rows() {
    return this.#rows;
  }

  get onScreen() {
    return this.#rows.filter(({ node }) => this.#onScreen.has(node));
  }

  add(row) {
    row.node.hidden = !row.matches(this.#words);
    const found = this.#rows.findIndex((other) => isBefore(row, other));
    const at = found < 0 ? this.#rows.length : found;
    this.#body.insertBefore(row.node, this.#rows[at]?.node ?? null);
    this.#rows.splice(at, 0, row);
    this.#observer.observe(row.node);
  }

  remove(row) {
    this.#observer.unobserve(row.node);
    this.#onScreen.delete(row.node);
    this.#rows.splice(this.#rows.indexOf(row), 1);
    row.node.remove();
  }

  /** Shows the rows that match every word of the query. */
  filter(query) {
    this.#words = query
      .toLowerCase()
      .split(/\s+/)
      .map((word) => word.replace(/^0x/, ''));
    for (const row of this.#rows) row.node.hidden = !row.matches(this.#words);
  }

  clear() {
    this.#observer.disconnect();
    this.#onScreen.clear();
    this.#rows = [];
    this.#body.replaceChildren();
  }
}
