import type { Clock } from '../../base/clock/clock.ts';
import { ClockLead } from '../../base/clock/clock-lead.ts';

const offsetLastsUs = 1_000_000;
const firstReadings = 32;
const laterReadings = 4;

const windowUs = 10_000_000;

/** A larger step means a reset clock. */
const jumpUs = 1_000_000;

/**
 * Tracks the offset between the daemon's Unix time, which follows the monotonic clock, and the
 * system time of kernel timestamps, which can be set at any time.
 */
export class KernelClock {
  offsetUs = 0;
  readonly #clock: Clock;
  readonly #lead: ClockLead;
  #measuredUs = 0;

  constructor(clock: Clock, systemUs: () => number) {
    this.#clock = clock;
    this.#lead = new ClockLead({ readUs: systemUs, referenceUs: () => clock.monotonicUs() });
    this.#measure(firstReadings);
  }

  get bracketUs(): number {
    return Math.ceil(this.#lead.bracketUs + (this.#clock.unixBracketUs ?? 0));
  }

  get nowUs(): number {
    return this.#clock.unixUs();
  }

  follow(): void {
    if (this.#clock.monotonicUs() - this.#measuredUs >= offsetLastsUs) this.#measure(laterReadings);
  }

  /** Measures early, because a timestamp suggests a clock change. */
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
 * Maps an adapter clock to Unix time. The adapter timestamps a frame on the bus, the kernel
 * slightly later. The shortest delay is the best estimate of the offset. Clocks drift, so only
 * the last one or two windows count.
 */
export class AdapterClock {
  #shortestUs = Number.POSITIVE_INFINITY;
  #previousUs = Number.POSITIVE_INFINITY;
  #windowEndsUs = Number.NEGATIVE_INFINITY;

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

/** Unix times of a socket's messages: never decreasing, never in the future. */
export class MessageTimes {
  lastUs = 0;
  readonly #kernel: KernelClock;
  #adapter = new AdapterClock();
  #readUs = 0;
  #isChecked = false;

  constructor(kernel: KernelClock) {
    this.#kernel = kernel;
  }

  get bracketUs(): number {
    return this.#kernel.bracketUs;
  }

  get nowUs(): number {
    return Math.max(this.lastUs, this.#kernel.nowUs);
  }

  advance(): number {
    this.lastUs = this.nowUs;
    return this.lastUs;
  }

  restart(): void {
    this.#adapter = new AdapterClock();
  }

  beginBatch(): void {
    this.#kernel.follow();
    this.#readUs = this.#kernel.nowUs;
    this.#isChecked = false;
  }

  /** Unix time from both timestamps, each 0 if missing. */
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
      // Once per batch.
      this.#isChecked = true;
      this.#kernel.check();
    }
    return Math.min(Math.floor(kernelUs + this.#kernel.offsetUs), this.#readUs);
  }
}
