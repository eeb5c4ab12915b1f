import type { Clock } from '../../base/clock/clock.ts';
import { ClockLead } from '../../base/clock/clock-lead.ts';

/** How long an offset is taken for granted. */
const offsetLastsUs = 1_000_000;
const firstReadings = 32;
const laterReadings = 4;

/** Of a window so long, the quickest report tells how far two clocks are apart. */
const windowUs = 10_000_000;

/** A hardware clock that seems to have moved so far has been set or started anew. */
const jumpUs = 1_000_000;

/**
 * Follows how far the daemon's Unix time, which is anchored to the monotonic clock, is from the system's
 * time of day, which the kernel stamps frames with and which may be set at any time.
 */
export class KernelClock {
  /** What to add to a stamp of the kernel. */
  offsetUs = 0;
  readonly #clock: Clock;
  readonly #lead: ClockLead;
  #measuredUs = 0;

  constructor(clock: Clock, systemUs: () => number) {
    this.#clock = clock;
    this.#lead = new ClockLead({ readUs: systemUs, referenceUs: () => clock.monotonicUs() });
    this.#measure(firstReadings);
  }

  /** How exactly stamps are known by the daemon's clock, whose own anchor is part of it. */
  get bracketUs(): number {
    return Math.ceil(this.#lead.bracketUs + (this.#clock.unixBracketUs ?? 0));
  }

  get nowUs(): number {
    return this.#clock.unixUs();
  }

  /** Measures the offset again when it is due. */
  follow(): void {
    if (this.#clock.monotonicUs() - this.#measuredUs >= offsetLastsUs) this.#measure(laterReadings);
  }

  /** Measures it early: a stamp shows that the time of day may have been set. */
  check(): void {
    this.#measure(1);
  }

  #measure(readings: number): void {
    this.#lead.measure(readings);
    this.offsetUs = this.#clock.unixOffsetUs - this.#lead.us;
    this.#measuredUs = this.#clock.monotonicUs();
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

/** Unix times of the messages of one socket, which never go back and are never in the future. */
export class MessageTimes {
  /** Of the message told last; 0 before the first. */
  lastUs = 0;
  readonly #kernel: KernelClock;
  #adapter = new AdapterClock();
  /** When the messages at hand were read. */
  #readUs = 0;
  #isChecked = false;

  constructor(kernel: KernelClock) {
    this.#kernel = kernel;
  }

  get bracketUs(): number {
    return this.#kernel.bracketUs;
  }

  /** Now, but not before what was told last. */
  get nowUs(): number {
    return Math.max(this.lastUs, this.#kernel.nowUs);
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
    this.#kernel.follow();
    this.#readUs = this.#kernel.nowUs;
    this.#isChecked = false;
  }

  /** From the stamps of the kernel and the adapter, each 0 where there is none. */
  unixUs(kernelUs: number, adapterUs: number): number {
    let atUs = kernelUs > 0 ? this.#ofKernel(kernelUs) : this.nowUs;
    if (adapterUs > 0) atUs = Math.floor(this.#adapter.unixUs(adapterUs, atUs));
    if (atUs > this.lastUs) this.lastUs = atUs;
    return this.lastUs;
  }

  #ofKernel(kernelUs: number): number {
    const atUs = Math.floor(kernelUs + this.#kernel.offsetUs);
    if (atUs >= this.lastUs && atUs <= this.#readUs) return atUs;
    if (!this.#isChecked) {
      // Once for a batch: stamps may be a little off without the time of day having been set.
      this.#isChecked = true;
      this.#kernel.check();
    }
    return Math.min(Math.floor(kernelUs + this.#kernel.offsetUs), this.#readUs);
  }
}
