/**
 * Turns the times of lines into nanoseconds since the start of the trace. Times count from the
 * start of the measurement, or from the event before. In files of several trigger blocks they go
 * on from block to block, or begin anew in each: then the date of the block tells how much later
 * that is. Blocks never overlap, whatever their dates say.
 */
export class AscClock {
  isRelative = false;
  #nowNs = 0;
  /** The time that the last line told, as it stands there. */
  #toldNs = 0;
  /** What is added to the times of this block. */
  #baseNs = 0;
  #blockNs = 0;
  #isNewBlock = false;
  #beginsAnew = false;

  /** A block begins, so many nanoseconds after the first one. */
  beginBlock(blockNs: number): void {
    this.#blockNs = blockNs;
    this.#isNewBlock = true;
  }

  /** The time of a line that tells so much; every line with a time must pass here. */
  at(toldNs: number): number {
    if (this.#isNewBlock) this.#enterBlock(toldNs);
    this.#toldNs = toldNs;
    this.#nowNs = toldNs + (this.isRelative ? this.#nowNs : this.#baseNs);
    return this.#nowNs;
  }

  #enterBlock(toldNs: number): void {
    this.#isNewBlock = false;
    if (this.isRelative) {
      this.#nowNs = Math.max(this.#nowNs, this.#blockNs);
      return;
    }
    if (toldNs < this.#toldNs) this.#beginsAnew = true;
    if (this.#beginsAnew) this.#baseNs = Math.max(this.#blockNs, this.#nowNs - toldNs);
  }
}
