import { linHeaderBits, linMaxStretch, maxLinLength } from '../../frame/lin.ts';

/** A break needs 13 bits. One more allows for inexact bit rates. */
const breakBits = 14;
/** The delimiter needs at least one bit. */
const delimiterBits = 2;
/** Wake-up pulse. LIN 2.x requires 250 µs to 5 ms. */
const pulseUs = 2000;
const byteBits = 10;
/** Maximum low bits of a valid byte, including its start bit. */
const maxPulseBits = 8;
const silenceBits = 2 * byteBits;

export class LinLineTiming {
  readonly #bitUs: number;
  readonly #slackUs: number;

  constructor(bitrate: number, slackUs: number) {
    this.#bitUs = 1e6 / bitrate;
    this.#slackUs = slackUs;
  }

  get breakUs(): number {
    return breakBits * this.#bitUs;
  }

  get delimiterUs(): number {
    return delimiterBits * this.#bitUs;
  }

  bytesUs(count: number): number {
    return count * byteBits * this.#bitUs;
  }

  bytesLimitUs(count: number): number {
    return linMaxStretch * this.bytesUs(count) + this.#slackUs;
  }

  /**
   * Maximum time until a response and its checksum are received. Uses the longest response if
   * the length is unknown.
   */
  responseLimitUs(length: number): number {
    return this.bytesLimitUs((length || maxLinLength) + 1);
  }

  get headerLimitUs(): number {
    return linMaxStretch * linHeaderBits * this.#bitUs + this.#slackUs;
  }

  get silenceUs(): number {
    return silenceBits * this.#bitUs + this.#slackUs;
  }

  frameUs(responseBytes: number): number {
    return linHeaderBits * this.#bitUs + this.bytesUs(responseBytes);
  }

  /** Received byte that looks like a wake-up pulse. */
  get wakeUpByte(): number {
    const bits = Math.max(1, Math.min(maxPulseBits, Math.round(pulseUs / this.#bitUs)));
    return (0xff << (bits - 1)) & 0xff;
  }
}

/** Returns whether a single byte can be a pulse: contiguous low bits from the start bit. */
export const isPulse = (byte: number): boolean =>
  ((byte | (byte - 1)) & 0xff) === 0xff || byte === 0;
