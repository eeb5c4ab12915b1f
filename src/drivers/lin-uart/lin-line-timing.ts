import { linHeaderBits, linMaxStretch, maxLinLength } from '../../frame/lin.ts';

/** A break has to have 13 bits; a little more, as no bit rate is exact. */
const breakBits = 14;
/** The line is high for at least one bit behind a break. */
const delimiterBits = 2;
/** How long a wake-up pulse is meant to be; LIN 2.x wants 250 microseconds to 5 milliseconds. */
const pulseUs = 2000;
const byteBits = 10;
/** As many low bits as one byte can have in a row, with its start bit, and stay a valid byte. */
const mostPulseBits = 8;
/** Time without a byte after which nothing more is expected, beside what the machine takes. */
const silenceBits = 2 * byteBits;

/** Times on a LIN bus of one bit rate, as a program sees them. */
export class LinLineTiming {
  readonly #bitUs: number;
  /** How much later than on the wire something may be seen: the adapter's latency and our own. */
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

  /** How long so many bytes take without a pause. */
  bytesUs(count: number): number {
    return count * byteBits * this.#bitUs;
  }

  /** By when so many bytes that begin now are seen, with all pauses that LIN allows. */
  bytesLimitUs(count: number): number {
    return linMaxStretch * this.bytesUs(count) + this.#slackUs;
  }

  /** The same of a response with its checksum; of one of unknown length, the longest there is. */
  responseLimitUs(length: number): number {
    return this.bytesLimitUs((length || maxLinLength) + 1);
  }

  /** By when a header is seen whose break was seen now. */
  get headerLimitUs(): number {
    return linMaxStretch * linHeaderBits * this.#bitUs + this.#slackUs;
  }

  get silenceUs(): number {
    return silenceBits * this.#bitUs + this.#slackUs;
  }

  /** How long a frame with so many bytes of response was on the bus. */
  frameUs(responseBytes: number): number {
    return linHeaderBits * this.#bitUs + this.bytesUs(responseBytes);
  }

  /** The byte that looks like a wake-up pulse: its start bit and low bits, and nothing but ones. */
  get wakeUpByte(): number {
    const bits = Math.max(1, Math.min(mostPulseBits, Math.round(pulseUs / this.#bitUs)));
    return (0xff << (bits - 1)) & 0xff;
  }
}

/** Whether a lone byte can be a pulse: low without interruption from its start bit on. */
export const isPulse = (byte: number): boolean =>
  ((byte | (byte - 1)) & 0xff) === 0xff || byte === 0;
