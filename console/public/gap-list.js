import { element, setChildren } from './dom.js';
import { formatCount, formatTime } from './format.js';

/** Older gaps are in the sum only. */
const shownGaps = 3;

/** The gaps in what a stream brought, said plainly until they are cleared. */
export class GapList {
  #place;
  #noun;
  #gaps = [];
  #count = 0;
  #missed = 0;
  /** What the sum is worth: it may be too high, and it may be too low. */
  #isBound = false;
  #isPartial = false;

  /** `noun` is what the stream brings, such as `event`. */
  constructor(place, noun) {
    this.#place = place;
    this.#noun = noun;
  }

  /**
   * `lastId` is the id of the last event before the gap. With `hasIds` all that is missing had ids;
   * then an uncounted loss has a bound.
   */
  add(gap, { lastId, hasIds }) {
    this.#count += 1;
    const loss = this.#lossOf(gap, lastId, hasIds);
    const where = `before ${this.#noun} ${formatCount(gap.oldest_available)}`;
    this.#gaps.unshift(`${formatTime(new Date())} Missed ${loss}, ${where}.`);
    this.#gaps.length = Math.min(this.#gaps.length, shownGaps);
  }

  clear() {
    this.#gaps = [];
    this.#count = 0;
    this.#missed = 0;
    this.#isBound = false;
    this.#isPartial = false;
  }

  draw() {
    setChildren(
      this.#place,
      this.#lines().map((line) => element('p', {}, line)),
    );
  }

  /**
   * How much a gap may have cost. The service does not count what was lost between two connections,
   * but no more can be missing than there are ids; unless those begin anew.
   */
  #lossOf({ missed, oldest_available }, lastId, hasIds) {
    if (missed !== null) {
      this.#missed += missed;
      return this.#amount(missed);
    }
    const most = oldest_available - 1 - Number(lastId ?? 0);
    if (hasIds && most >= 0) {
      this.#missed += most;
      this.#isBound = true;
      return `up to ${this.#amount(most)}`;
    }
    this.#isPartial = true;
    const why = hasIds ? 'their ids begin anew' : 'frames were lost before they were decoded';
    return `an unknown number of ${this.#noun}s: ${why}`;
  }

  #amount(count) {
    return `${formatCount(count)} ${this.#noun}${count === 1 ? '' : 's'}`;
  }

  #lines() {
    if (this.#count < 2) return this.#gaps.map((gap) => `▲ ${gap}`);
    const sum = `${this.#isBound ? 'up to ' : ''}${this.#amount(this.#missed)}`;
    const more = this.#isPartial ? ' and an unknown number' : '';
    const latest = this.#count > shownGaps ? `; the latest ${shownGaps}:` : ':';
    const head = `▲ ${formatCount(this.#count)} gaps, ${sum}${more} missed in all${latest}`;
    return [head, ...this.#gaps];
  }
}
