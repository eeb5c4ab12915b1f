import type { StampDigits } from './frame-text.ts';

/** A device starts anew after a minute, or after an hour where it counts microseconds. */
const minuteUs = 60_000_000;
const hourUs = 3_600_000_000;
/** Some count on until their 32 bits are full; the first stamp beyond the hour tells. */
const full32Us = 2 ** 32;

/** How far a quartz may be off, in parts of the time passed. */
const drift = 200e-6;

/** How much quicker than all before a frame may be without another one that says the same. */
const leapUs = 20_000;
/** Nothing is on its way for so long: the clock of the device was set anew, or the stamp is wrong. */
const jumpUs = 1_000_000;

/** The largest stamp in milliseconds that exists. */
const lastMillisecond = 59_999;

/**
 * Turns the time stamps of a device into times of the host. Nothing arrives before it was stamped,
 * so that the smallest difference ever seen between arrival and stamp is taken for the distance
 * between the two clocks; it may grow again as slowly as quartzes drift. A stamp that does not fit
 * is not believed, as one wrong digit would hold back the time of all that follow: the second in a
 * row that tells the same distance is.
 */
export class DeviceTime {
  readonly #unitUs: number;
  #periodUs: number;
  /** What to add to device time; NaN before the first stamp. */
  #offsetUs = Number.NaN;
  /** What the last stamp would have it be, if that did not fit; else NaN. */
  #doubtedUs = Number.NaN;
  #lastArrivalUs = 0;

  constructor(digits: StampDigits) {
    this.#unitUs = digits === 8 ? 1 : 1000;
    this.#periodUs = digits === 8 ? hourUs : minuteUs;
  }

  /** Whether a device of that kind can have given the stamp. */
  static isPossible(stamp: number, digits: StampDigits): boolean {
    return digits !== 4 || stamp <= lastMillisecond;
  }

  /** When a frame was stamped that arrived just now, never later than that. */
  hostUs(stamp: number, arrivalUs: number): number {
    const stampUs = stamp * this.#unitUs;
    const periodUs = stampUs >= this.#periodUs ? full32Us : this.#periodUs;
    if (Number.isNaN(this.#offsetUs)) this.#offsetUs = arrivalUs - stampUs;
    else this.#offsetUs += (arrivalUs - this.#lastArrivalUs) * drift;
    this.#lastArrivalUs = arrivalUs;
    const rounds = Math.round((arrivalUs - this.#offsetUs - stampUs) / periodUs);
    const deviceUs = stampUs + rounds * periodUs;
    const offsetUs = arrivalUs - deviceUs;
    const lateUs = offsetUs - this.#offsetUs;
    const fits = lateUs >= -leapUs && lateUs <= jumpUs;
    if (!fits && !(Math.abs(offsetUs - this.#doubtedUs) <= jumpUs)) {
      this.#doubtedUs = offsetUs;
      return arrivalUs;
    }
    this.#doubtedUs = Number.NaN;
    this.#periodUs = periodUs;
    if (!fits || lateUs < 0) this.#offsetUs = offsetUs;
    return deviceUs + this.#offsetUs;
  }
}
