import type { StampDigits } from './frame-text.ts';

/** Stamps wrap after a minute, or after an hour in microseconds. */
const minuteUs = 60_000_000;
const hourUs = 3_600_000_000;
/** Some wrap at 32 bits; the first stamp beyond the hour shows it. */
const full32Us = 2 ** 32;

/** Maximum drift of a quartz. */
const drift = 200e-6;

/** A faster frame than this needs confirmation by another. */
const leapUs = 20_000;
/** A larger difference means a reset clock or a wrong stamp. */
const jumpUs = 1_000_000;

/** Largest millisecond stamp. */
const lastMillisecond = 59_999;

/**
 * Converts a device's time stamps to host time. Nothing arrives before it was stamped, so the
 * smallest difference seen between arrival and stamp is taken as the offset of the clocks; it
 * may grow again as slowly as quartzes drift. A stamp that does not fit is ignored at first,
 * since one wrong digit would delay the time of all that follow; a second one in a row with the
 * same offset is accepted.
 */
export class DeviceTime {
  readonly #unitUs: number;
  #periodUs: number;
  #offsetUs = Number.NaN;
  /** Offset of the last stamp if it did not fit; else NaN. */
  #doubtedUs = Number.NaN;
  #lastArrivalUs = 0;

  constructor(digits: StampDigits) {
    this.#unitUs = digits === 8 ? 1 : 1000;
    this.#periodUs = digits === 8 ? hourUs : minuteUs;
  }

  /** Whether a stamp is valid for this device. */
  static isPossible(stamp: number, digits: StampDigits): boolean {
    return digits !== 4 || stamp <= lastMillisecond;
  }

  /** Host time of a stamp, never after its arrival. */
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
