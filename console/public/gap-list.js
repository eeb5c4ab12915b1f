import { byTestId, element, setChildren } from './dom.js';
import { formatCount, formatTime } from './format.js';

const place = byTestId('traffic-gaps');
/** Older gaps are in the sum only. */
const shownGaps = 3;

const events = (count) => `${formatCount(count)} ${count === 1 ? 'event' : 'events'}`;

/**
 * How many events a gap may have cost. The service does not count what was lost between two
 * connections, but no more can be missing than there are ids; unless those begin anew.
 */
const lossOf = ({ missed, oldest_available }, lastId) => {
  if (missed !== null) return { most: missed, text: events(missed) };
  const most = oldest_available - 1 - Number(lastId ?? 0);
  if (most < 0) return { most: 0, text: 'an unknown number of events: their ids begin anew' };
  return { most, text: `up to ${events(most)}`, isBound: true };
};

/** The gaps in what the stream brought, said plainly until the traffic is cleared. */
export class GapList {
  #gaps = [];
  #count = 0;
  #missed = 0;
  #isBound = false;

  /** `lastId` is the id of the last event before the gap. */
  add(gap, lastId) {
    const { most, text, isBound = false } = lossOf(gap, lastId);
    this.#count += 1;
    this.#missed += most;
    this.#isBound ||= isBound;
    const where = `before event ${formatCount(gap.oldest_available)}`;
    this.#gaps.unshift(`${formatTime(new Date())} Missed ${text}, ${where}.`);
    this.#gaps.length = Math.min(this.#gaps.length, shownGaps);
  }

  clear() {
    this.#gaps = [];
    this.#count = 0;
    this.#missed = 0;
    this.#isBound = false;
  }

  draw() {
    setChildren(
      place,
      this.#lines().map((line) => element('p', {}, line)),
    );
  }

  #lines() {
    if (this.#count < 2) return this.#gaps.map((gap) => `▲ ${gap}`);
    const sum = `${this.#isBound ? 'up to ' : ''}${events(this.#missed)}`;
    const latest = this.#count > shownGaps ? `; the latest ${shownGaps}:` : ':';
    return [`▲ ${formatCount(this.#count)} gaps, ${sum} missed in all${latest}`, ...this.#gaps];
  }
}
