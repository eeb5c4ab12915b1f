import { Trend } from './trend.js';

/** Rows beyond this are not begun: a page has no use for more. */
export const rowLimit = 1000;

/** What one signal of a plan has been lately. */
class SignalRow {
  known;
  signal;
  /** Rows are in the order of their channels, messages, plans, and then as the plan has them. */
  order;
  latest = null;
  trend = new Trend();
  /** Whether something is new since the row was drawn. */
  isDirty = true;
  begunAt = performance.now();
  /** Whether there is no need to ask for a sample from before. */
  isLatestKnown = false;

  constructor(known, signal, order) {
    this.known = known;
    this.signal = signal;
    this.order = order;
  }

  take(sample) {
    this.latest = sample;
    if (sample.value !== null) this.trend.take(Number(sample.value), sample.timestamp_us);
    this.isDirty = true;
  }

  clear() {
    this.latest = null;
    this.isLatestKnown = true;
    this.trend = new Trend();
    this.isDirty = true;
  }
}

const isRebuilt = (plan, old) =>
  plan.selector === old.selector && plan.database === old.database && plan.message === old.message;

/** The signals by plan. It knows no page: that is drawn far less often. */
export class SignalTable {
  /** What is known of each plan: its record, whether it is gone by now, and its rows by signal. */
  #known = new Map();
  #planNumber = 0;
  #fresh = [];
  #gone = [];
  /** Rows there are. */
  size = 0;
  /** Signals that have no row, because all are in use. */
  unlisted = 0;
  /** Samples that were taken in. */
  samples = 0;

  get expired() {
    return [...this.#known.values()].filter(({ isExpired }) => isExpired).length;
  }

  /**
   * Takes the plans that there are. Those that vanished stay, as expired, until they are made anew.
   * Answers whether any plan from before is left: the sequence of samples goes on only then.
   */
  takePlans(plans) {
    const ids = new Set(plans.map(({ plan_id }) => plan_id));
    let isAnyLeft = false;
    for (const [id, known] of this.#known) {
      if (!known.isExpired && ids.has(id)) isAnyLeft = true;
      this.#setExpired(known, !ids.has(id));
    }
    for (const plan of plans) {
      const known = this.#known.get(plan.plan_id);
      if (known) this.#renew(known, plan);
      else this.#add(plan);
    }
    return isAnyLeft;
  }

  /** Takes a sample; one of a plan that was not listed yet has no place. */
  take(sample) {
    this.samples += 1;
    this.#known.get(sample.plan_id)?.rows.get(sample.signal)?.take(sample);
  }

  /** The rows that began since this was asked last. */
  takeFresh() {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /** The rows that ended since this was asked last. */
  takeGone() {
    const gone = this.#gone;
    this.#gone = [];
    return gone;
  }

  /** Drops expired plans, and what all others have been. */
  clear() {
    this.samples = 0;
    for (const known of this.#known.values()) {
      if (known.isExpired) this.#drop(known);
      else for (const row of known.rows.values()) row.clear();
    }
  }

  #setExpired(known, isExpired) {
    if (known.isExpired === isExpired) return;
    known.isExpired = isExpired;
    for (const row of known.rows.values()) row.isDirty = true;
  }

  #renew(known, plan) {
    if (known.plan.channel_open !== plan.channel_open) {
      for (const row of known.rows.values()) row.isDirty = true;
    }
    known.plan = plan;
  }

  #add(plan) {
    for (const old of this.#known.values()) {
      if (old.isExpired && isRebuilt(plan, old.plan)) this.#drop(old);
    }
    const known = { plan, isExpired: false, rows: new Map() };
    this.#known.set(plan.plan_id, known);
    this.#planNumber += 1;
    const listed = plan.signals.slice(0, rowLimit - this.size);
    for (const [index, signal] of listed.entries()) {
      const row = new SignalRow(known, signal, [plan.slot, plan.id, this.#planNumber, index]);
      known.rows.set(signal, row);
      this.#fresh.push(row);
    }
    this.size += listed.length;
    this.unlisted += plan.signals.length - listed.length;
  }

  #drop({ plan, rows }) {
    this.#known.delete(plan.plan_id);
    this.#gone.push(...rows.values());
    this.size -= rows.size;
    this.unlisted -= plan.signals.length - rows.size;
  }
}
