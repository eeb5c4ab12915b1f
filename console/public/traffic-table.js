/** Rows beyond this are not begun: a page has no use for more, and a random id must not fill it. */
export const rowLimit = 500;

/** Weight of the newest interval in the cycle time. */
const smoothing = 1 / 8;

const keyOf = ({ selector, kind, bus, extended, remote, error, id }) =>
  `${selector} ${kind} ${bus === 'lin'}${extended}${remote}${error} ${id}`;

/** What the frames of one id, in one direction on one channel, have been lately. */
class TrafficRow {
  latest = null;
  count = 0;
  /** Smoothed microseconds between two frames; null before the second. */
  cycleUs = null;
  /** When each byte of the latest data last changed, in the page's time. */
  changedAt = [];
  /** Whether something came since the row was drawn. */
  isDirty = true;
  #isContinuous = false;

  take(event) {
    const before = this.latest;
    this.latest = event;
    this.count += 1;
    this.isDirty = true;
    if (before === null) {
      this.changedAt = new Array(event.data.length / 2).fill(-Infinity);
    } else if (before.data !== event.data) {
      this.#markChanges(before.data, event.data);
    }
    if (this.#isContinuous) this.#follow(event.timestamp_us - before.timestamp_us);
    this.#isContinuous = true;
  }

  /** Frames are missing: the time to the next one says nothing about the cycle. */
  interrupt() {
    this.#isContinuous = false;
  }

  #follow(intervalUs) {
    if (intervalUs < 0) return;
    if (this.cycleUs === null) this.cycleUs = intervalUs;
    else this.cycleUs += (intervalUs - this.cycleUs) * smoothing;
  }

  #markChanges(before, data) {
    const now = performance.now();
    this.changedAt.length = data.length / 2;
    for (let byte = 0, at = 0; at < data.length; byte += 1, at += 2) {
      if (before[at] !== data[at] || before[at + 1] !== data[at + 1]) this.changedAt[byte] = now;
    }
  }
}

/** The traffic by channel, id and direction. It knows no page: that is drawn far less often. */
export class TrafficTable {
  #rows = new Map();
  #fresh = [];
  /** Events that were taken in. */
  events = 0;
  /** Events among them that have no row, because all are in use. */
  unlisted = 0;

  get size() {
    return this.#rows.size;
  }

  get rows() {
    return this.#rows.values();
  }

  take(event) {
    this.events += 1;
    const key = keyOf(event);
    let row = this.#rows.get(key);
    if (row === undefined) {
      if (this.#rows.size >= rowLimit) {
        this.unlisted += 1;
        return;
      }
      row = new TrafficRow();
      this.#rows.set(key, row);
      this.#fresh.push(row);
    }
    row.take(event);
  }

  interrupt() {
    for (const row of this.#rows.values()) row.interrupt();
  }

  /** The rows that began since this was asked last. */
  takeFresh() {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  clear() {
    this.#rows.clear();
    this.#fresh = [];
    this.events = 0;
    this.unlisted = 0;
  }
}
