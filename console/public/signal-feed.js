import { getJson } from './api.js';
import { EventStream } from './event-stream.js';
import { pollWhileServed } from './poll-while-served.js';

/** In these the stream goes on by itself only when it is started. */
const resting = ['paused', 'token'];

/**
 * Follows the plans that there are, and the samples of all of them for as long as it is wanted. A
 * stream has the plans of the time when it was opened, so it is opened anew for a new plan; before
 * that it asks what plans there are, because the Web service takes its plans with it.
 */
export class SignalFeed {
  #table;
  #onChange;
  #followed = new Set();
  #asking = null;
  #poll;
  stream;
  isWanted = true;
  /** Why the plans are not known; null while they are. */
  error = null;
  /** Whether the plans were ever known. */
  isKnown = false;
  /** Frames that were lost before they could be decoded. */
  missedFrames = 0;

  /** `onChange` is called when anything but a sample is new. */
  constructor(table, { onSample, onGap, onChange }) {
    this.#table = table;
    this.#onChange = onChange;
    let isFirst = true;
    this.stream = new EventStream('/api/v1/signals/stream', {
      onEvent: (type, data) => {
        if (type === 'sample') onSample(JSON.parse(data));
        // Later on, frames can also have been lost before they gave samples with a number.
        else if (type === 'gap') onGap(JSON.parse(data), { hasIds: isFirst });
        isFirst = false;
      },
      onState: () => {
        isFirst = true;
        onChange();
      },
      prepare: () => this.#prepare(),
    });
    this.#poll = pollWhileServed({
      look: () => this.#look(),
      show: (plans) => this.#follow(plans),
      fail: (error) => {
        this.error = error;
        onChange();
      },
    });
  }

  /** Whether what was seen last may no longer be true. */
  get isStale() {
    return this.error !== null || ['reconnecting', 'token', 'ended'].includes(this.stream.state);
  }

  /** Takes every new view of the service; see `watchHealth`. */
  followService(known) {
    this.#poll.follow(known);
  }

  start() {
    this.isWanted = true;
    this.stream.start();
  }

  stop() {
    this.isWanted = false;
    this.stream.stop();
  }

  /** Asks once at a time, so that answers do not overtake each other. */
  #look() {
    this.#asking ??= getJson('/api/v1/signals?limit=4096').finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #prepare() {
    const list = await this.#look();
    this.#take(list);
    this.#followed = new Set(list.plans.map(({ plan_id }) => plan_id));
    if (list.plans.length === 0) this.stream.stop();
  }

  #follow(list) {
    this.#take(list);
    if (!this.isWanted) return;
    const { plans } = list;
    const isRunning = !resting.includes(this.stream.state);
    if (plans.length === 0) {
      if (isRunning) this.stream.stop();
    } else if (!isRunning || plans.some(({ plan_id }) => !this.#followed.has(plan_id))) {
      this.stream.start();
    }
  }

  #take({ plans, missed_events }) {
    this.error = null;
    this.isKnown = true;
    this.missedFrames = missed_events;
    if (!this.#table.takePlans(plans)) this.stream.forget();
    this.#onChange();
  }
}
