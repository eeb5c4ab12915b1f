import type { StampDigits } from './frame-text.ts';

/** A device starts anew after a minute, or after an hour where it counts microseconds. */
const minuteUs = 60_000_000;
const hourUs = 3_600_000_000;
/** Some count on until their 32 bits are full; the first stamp beyond the hour tells. */
const full32Us = 2 ** 32;

/** How far a quartz may be off, in parts of the time passed. */
const drift = 200e-6;

/** The largest stamp in milliseconds that exists. */
const lastMillisecond = 59_999;

/**
 * Turns the time stamps of a device into times of the host. Nothing arrives before it was stamped,
 * so that the smallest difference ever seen between arrival and stamp is taken for the distance
 * between the two clocks; it may grow again as slowly as quartzes drift.
 */
export class DeviceTime {
  readonly #unitUs: number;
  #periodUs: number;
  /** What to add to device time; NaN before the first stamp. */
  #offsetUs = Number.NaN;
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
    if (stampUs >= this.#periodUs) this.#periodUs = full32Us;
    if (Number.isNaN(this.#offsetUs)) {
      this.#offsetUs = arrivalUs - stampUs;
      this.#lastArrivalUs = arrivalUs;
      return arrivalUs;
    }
    this.#offsetUs += (arrivalUs - this.#lastArrivalUs) * drift;
    this.#lastArrivalUs = arrivalUs;
    const rounds = Math.round((arrivalUs - this.#offsetUs - stampUs) / this.#periodUs);
    const deviceUs = stampUs + rounds * this.#periodUs;
    if (arrivalUs - deviceUs < this.#offsetUs) this.#offsetUs = arrivalUs - deviceUs;
    return deviceUs + this.#offsetUs;
  }
}
