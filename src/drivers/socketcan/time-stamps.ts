/** How long the lead of a clock of ours over the system's is taken for granted. */
const leadLastsUs = 1_000_000;

/** Of a window so long, the quickest report tells how far two clocks are apart. */
const windowUs = 10_000_000;

/** A hardware clock that seems to have moved so far has been set or started anew. */
const jumpUs = 1_000_000;

/**
 * Follows how far the Unix time of the daemon, which is anchored to the monotonic clock, is ahead of
 * the system's time of day, which the kernel stamps frames with and which may be set at any time.
 */
export class SystemTimeLead {
  readonly #unixUs: () => number;
  readonly #systemUs: () => number;
  #measuredUs = Number.NEGATIVE_INFINITY;
  #leadUs = 0;

  constructor(unixUs: () => number, systemUs: () => number) {
    this.#unixUs = unixUs;
    this.#systemUs = systemUs;
  }

  /** The lead now, measured anew when it is due. */
  get us(): number {
    const nowUs = this.#unixUs();
    if (nowUs - this.#measuredUs >= leadLastsUs) {
      this.#leadUs = nowUs - this.#systemUs();
      this.#measuredUs = nowUs;
    }
    return this.#leadUs;
  }
}

/**
 * Maps the clock of an adapter to Unix time. A frame is stamped there when it is on the bus and here
 * when the kernel has it, always a little later. Of many the shortest delay is nearest to none, and
 * clocks drift, so that the shortest of the last window or two counts.
 */
export class AdapterClock {
  #shortestUs = Number.POSITIVE_INFINITY;
  #previousUs = Number.POSITIVE_INFINITY;
  #windowEndsUs = Number.NEGATIVE_INFINITY;

  /** Unix time of a frame, from the adapter's stamp and the time when the kernel had it. */
  unixUs(adapterUs: number, kernelUs: number): number {
    const offsetUs = kernelUs - adapterUs;
    if (Math.abs(offsetUs - this.#offsetUs()) > jumpUs) this.#restart();
    if (kernelUs >= this.#windowEndsUs) {
      this.#previousUs = this.#shortestUs;
      this.#shortestUs = Number.POSITIVE_INFINITY;
      this.#windowEndsUs = kernelUs + windowUs;
    }
    this.#shortestUs = Math.min(this.#shortestUs, offsetUs);
    return adapterUs + this.#offsetUs();
  }

  #offsetUs(): number {
    return Math.min(this.#shortestUs, this.#previousUs);
  }

  #restart(): void {
    this.#shortestUs = Number.POSITIVE_INFINITY;
    this.#previousUs = Number.POSITIVE_INFINITY;
    this.#windowEndsUs = Number.NEGATIVE_INFINITY;
  }
}

/** Unix times of the messages of one socket, which never go back. */
export class MessageTimes {
  /** Of the message told last; 0 before the first. */
  lastUs = 0;
  readonly #unixUs: () => number;
  readonly #lead: SystemTimeLead;
  #adapter = new AdapterClock();
  #leadUs = 0;

  constructor(unixUs: () => number, systemUs: () => number) {
    this.#unixUs = unixUs;
    this.#lead = new SystemTimeLead(unixUs, systemUs);
  }

  /** Now, but not before what was told last. */
  get nowUs(): number {
    return Math.max(this.lastUs, this.#unixUs());
  }

  /** Something is told of now, behind which nothing earlier can be. */
  advance(): number {
    this.lastUs = this.nowUs;
    return this.lastUs;
  }

  /** The adapter may be another one. */
  restart(): void {
    this.#adapter = new AdapterClock();
  }

  /** Messages were received just now. */
  beginBatch(): void {
    this.#leadUs = this.#lead.us;
  }

  /** From the stamps of the kernel and the adapter, each 0 where there is none. */
  unixUs(kernelUs: number, adapterUs: number): number {
    let atUs = kernelUs > 0 ? Math.floor(kernelUs + this.#leadUs) : this.nowUs;
    if (adapterUs > 0) atUs = Math.floor(this.#adapter.unixUs(adapterUs, atUs));
    if (atUs > this.lastUs) this.lastUs = atUs;
    return this.lastUs;
  }
}
