/** From the last event of a lap to the first of the next, on the bus, whatever the speed. */
export const lapGapUs = 1000;

/**
 * When the events of a trace are due. Times count from the first event, and from an anchor on the
 * monotonic clock that is set once, so that lateness never adds up. The order of the file stands: an
 * event whose time lies before its predecessor's is due together with it.
 */
export class ReplayTimeline {
  readonly #speed: number;
  #offsetUs: number;
  #firstNs = Number.NaN;
  #anchorUs = Number.NaN;
  #lastDueUs = Number.NaN;
  #ownDueUs = Number.NaN;
  #previousNs = Number.NaN;
  #outOfOrder = 0;
  #positionUs = 0;

  constructor(speed: number, startOffsetUs: number) {
    this.#speed = speed;
    this.#offsetUs = startOffsetUs;
  }

  /** Where in the trace the event is that was asked for last. */
  get positionUs(): number {
    return this.#positionUs;
  }

  /** When that event would be due by its own time, whatever was before it in the file. */
  get ownDueUs(): number {
    return this.#ownDueUs;
  }

  /** Events that were older than the one before them. */
  get outOfOrder(): number {
    return this.#outOfOrder;
  }

  /**
   * When the next event is due; NaN if it lies before the offset. The first that does not is what
   * the clock starts with: reading up to there takes its time.
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

  /** When what was asked for last is over. */
  endUs(nowUs: number): number {
    return Number.isNaN(this.#lastDueUs) ? nowUs : this.#lastDueUs;
  }

  /** Goes back to the beginning of the file, without the offset: that is for the first lap. */
  nextLap(nowUs: number): void {
    this.#anchorUs = this.endUs(nowUs) + lapGapUs;
    this.#lastDueUs = this.#anchorUs;
    this.#offsetUs = 0;
    this.#firstNs = Number.NaN;
    this.#previousNs = Number.NaN;
    this.#positionUs = 0;
  }
}
