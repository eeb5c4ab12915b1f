import { linHeaderBits, linMaxStretch, maxLinLength } from '../../frame/lin.ts';

/** A break needs 13 bits; one more for inexact rates. */
const breakBits = 14;
/** The delimiter needs at least one bit. */
const delimiterBits = 2;
/** Wake-up pulse; LIN 2.x requires 250 µs to 5 ms. */
const pulseUs = 2000;
const byteBits = 10;
/** Maximum low bits of a valid byte, with its start bit. */
const maxPulseBits = 8;
/** Silence after which nothing more is expected. */
const silenceBits = 2 * byteBits;

/** Times of a LIN bus at one bit rate. */
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

  /** Duration of bytes without pauses. */
  bytesUs(count: number): number {
    return count * byteBits * this.#bitUs;
  }

  /** When bytes that start now arrive at the latest. */
  bytesLimitUs(count: number): number {
    return linMaxStretch * this.bytesUs(count) + this.#slackUs;
  }

  /**
   * When a response with its checksum arrives at the latest; the longest one if its length is
   * unknown.
   */
  responseLimitUs(length: number): number {
    return this.bytesLimitUs((length || maxLinLength) + 1);
  }

  /** When a header arrives at the latest after its break. */
  get headerLimitUs(): number {
    return linMaxStretch * linHeaderBits * this.#bitUs + this.#slackUs;
  }

  get silenceUs(): number {
    return silenceBits * this.#bitUs + this.#slackUs;
  }

  /** Bus time of a frame. */
  frameUs(responseBytes: number): number {
    return linHeaderBits * this.#bitUs + this.bytesUs(responseBytes);
  }

  /** The byte that looks like a wake-up pulse. */
  get wakeUpByte(): number {
    const bits = Math.max(1, Math.min(maxPulseBits, Math.round(pulseUs / this.#bitUs)));
    return (0xff << (bits - 1)) & 0xff;
  }
}

/** Whether a lone byte can be a pulse: contiguous low bits from the start bit. */
export const isPulse = (byte: number): boolean =>
  ((byte | (byte - 1)) & 0xff) === 0xff || byte === 0;
