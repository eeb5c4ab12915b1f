/** Time from the last event of a lap to the first of the next, unless the request says another. */
export const lapGapUs = 1000;

/**
 * Due times of the events of a trace. Times count from the first event and from an anchor on
 * the monotonic clock that is set once, so lateness does not accumulate. The file order is
 * kept: an event that is older than its predecessor is due together with it.
 */
export class ReplayTimeline {
  readonly #speed: number;
  readonly #pauseUs: number;
  #offsetUs: number;
  #firstNs = Number.NaN;
  #anchorUs = Number.NaN;
  #lastDueUs = Number.NaN;
  #ownDueUs = Number.NaN;
  #previousNs = Number.NaN;
  #outOfOrder = 0;
  #positionUs = 0;

  constructor(speed: number, startOffsetUs: number, pauseUs: number) {
    this.#speed = speed;
    this.#pauseUs = pauseUs;
    this.#offsetUs = startOffsetUs;
  }

  get positionUs(): number {
    return this.#positionUs;
  }

  get ownDueUs(): number {
    return this.#ownDueUs;
  }

  get outOfOrder(): number {
    return this.#outOfOrder;
  }

  /**
   * Due time of the next event; NaN before the offset. The clock starts with the first event
   * after the offset, because reading up to there takes time.
   */
  dueUs(timeNs: number, nowUs: number): number {
    if (Number.isNaN(this.#firstNs)) this.#firstNs = timeNs;
    if (timeNs < this.#previousNs) this.#outOfOrder += 1;
    this.#previousNs = timeNs;
    const positionUs = (timeNs - this.#firstNs) / 1000;
    this.#positionUs = Math.max(0, positionUs);
    if (this.#offsetUs > 0 && positionUs < this.#offsetUs) return Number.NaN;
    if (Number.isNaN(this.#anchorUs)) this.#anchorUs = nowUs;
    const dueUs = this.#anchorUs + (positionUs - this.#offsetUs) / this.#speed;
    this.#ownDueUs = dueUs;
    if (!(dueUs < this.#lastDueUs)) this.#lastDueUs = dueUs;
    return this.#lastDueUs;
  }

  endUs(nowUs: number): number {
    return Number.isNaN(this.#lastDueUs) ? nowUs : this.#lastDueUs;
  }

  /** Restarts the file, without the offset. */
  nextLap(nowUs: number): void {
    this.#anchorUs = this.endUs(nowUs) + this.#pauseUs;
    this.#lastDueUs = this.#anchorUs;
    this.#offsetUs = 0;
    this.#firstNs = Number.NaN;
    this.#previousNs = Number.NaN;
    this.#positionUs = 0;
  }
}
