import { RowList } from './row-list.js';
import { TrafficRowView } from './traffic-row.js';

/** The rows of the traffic on the page; see `RowList`. */
export class TrafficBody {
  #list;
  #names = new Map();

  /** `onScroll` is called when rows came onto the screen that want to be drawn. */
  constructor(body, onScroll) {
    this.#list = new RowList(body, onScroll);
  }

  get size() {
    return this.#list.size;
  }

  get shown() {
    return this.#list.shown;
  }

  add(row) {
    const view = new TrafficRowView(row);
    view.showChannel(this.#names.get(view.selector));
    this.#list.add(view);
  }

  /** Whether some marks are left that have to be wiped later. */
  draw(now) {
    let isMarked = false;
    for (const view of this.#list.onScreen) {
      view.draw(now);
      isMarked ||= view.isMarked;
    }
    return isMarked;
  }

  /** Shows the rows whose id or channel holds every word of the query. */
  filter(query) {
    this.#list.filter(query);
  }

  /** Takes the names of channels, by selector. */
  nameChannels(names) {
    this.#names = names;
    for (const view of this.#list.rows) {
      // A channel that was closed keeps the name it had.
      if (names.has(view.selector)) view.showChannel(names.get(view.selector));
    }
  }

  clear() {
    this.#list.clear();
  }
}
