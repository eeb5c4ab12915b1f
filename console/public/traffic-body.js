import { TrafficRowView } from './traffic-row.js';

const isBefore = (one, other) => {
  const differs = one.order.findIndex((part, index) => part !== other.order[index]);
  return differs >= 0 && one.order[differs] < other.order[differs];
};

/**
 * The rows of the page, kept in order, of which a filter shows some. Only those on the screen are
 * drawn: laying out hundreds of rows costs far more than all the rest.
 */
export class TrafficBody {
  #body;
  #views = [];
  #onScreen = new Set();
  #observer;
  #words = [];
  #names = new Map();

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
    return this.#views.length;
  }

  get shown() {
    return this.#views.filter(({ node }) => !node.hidden).length;
  }

  add(row) {
    const view = new TrafficRowView(row);
    view.showChannel(this.#names.get(view.selector));
    view.node.hidden = !view.matches(this.#words);
    const found = this.#views.findIndex((other) => isBefore(view, other));
    const at = found < 0 ? this.#views.length : found;
    this.#body.insertBefore(view.node, this.#views[at]?.node ?? null);
    this.#views.splice(at, 0, view);
    this.#observer.observe(view.node);
  }

  /** Whether some marks are left that have to be wiped later. */
  draw(now) {
    let isMarked = false;
    for (const view of this.#views) {
      if (!this.#onScreen.has(view.node)) continue;
      view.draw(now);
      isMarked ||= view.isMarked;
    }
    return isMarked;
  }

  /** Shows the rows whose id or channel holds every word of the query. */
  filter(query) {
    this.#words = query
      .toLowerCase()
      .split(/\s+/)
      .map((word) => word.replace(/^0x/, ''));
    for (const view of this.#views) view.node.hidden = !view.matches(this.#words);
  }

  /** Takes the names of channels, by selector. */
  nameChannels(names) {
    this.#names = names;
    for (const view of this.#views) {
      // A channel that was closed keeps the name it had.
      if (names.has(view.selector)) view.showChannel(names.get(view.selector));
    }
  }

  clear() {
    this.#observer.disconnect();
    this.#onScreen.clear();
    this.#views = [];
    this.#body.replaceChildren();
  }
}
