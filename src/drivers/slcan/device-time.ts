import type { StampDigits } from './frame-text.ts';

/** Timestamps wrap after a minute in milliseconds, or after an hour in microseconds. */
const minuteUs = 60_000_000;
const hourUs = 3_600_000_000;
/** Some timestamps wrap at 32 bits. The first value above one hour shows it. */
const full32Us = 2 ** 32;

/** Maximum drift of a quartz oscillator. */
const drift = 200e-6;

/** A frame that is faster by more than this must be confirmed by another. */
const leapUs = 20_000;
/** A larger difference means a reset clock or an invalid timestamp. */
const jumpUs = 1_000_000;

const lastMillisecond = 59_999;

/**
 * Converts device timestamps to host time. No frame arrives before its timestamp, so the
 * smallest difference between arrival and timestamp is the clock offset. The offset may grow at
 * the rate of quartz drift. An implausible timestamp is ignored at first, because one wrong
 * digit would delay all later ones. A second one in a row with the same offset is accepted.
 */
export class DeviceTime {
  readonly #unitUs: number;
  #periodUs: number;
  #offsetUs = Number.NaN;
  /** Offset of the last timestamp if it was implausible; otherwise NaN. */
  #doubtedUs = Number.NaN;
  #lastArrivalUs = 0;

  constructor(digits: StampDigits) {
    this.#unitUs = digits === 8 ? 1 : 1000;
    this.#periodUs = digits === 8 ? hourUs : minuteUs;
  }

  static isPossible(stamp: number, digits: StampDigits): boolean {
    return digits !== 4 || stamp <= lastMillisecond;
  }

  /** Host time of a timestamp, never later than its arrival. */
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
