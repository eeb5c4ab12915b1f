import { requestLength, responseLength, unknownLength } from './rtu-lengths.ts';

/** A client sends requests and gets responses; a server the other way round. */
export type Side = 'client' | 'server';

/** Unit and PDU. */
const maxContent = 254;
const crcLength = 2;

/**
 * Tells the echo of one's own frame from what others send, as two-wire adapters may hear what they
 * say. Where no frame that one receives has the shape of the one sent, a copy can be nothing but
 * its echo, and shows that the line echoes. A copy of a single write may as well be the answer:
 * then it counts what is known of the line.
 */
export class EchoFilter {
  readonly #side: Side;
  readonly #content = new Uint8Array(maxContent);
  #length = 0;
  #isAwaited = false;
  #echoes = false;

  constructor(side: Side) {
    this.#side = side;
  }

  /** Keeps unit and PDU of what was encoded. */
  remember(unit: number, pdu: Uint8Array, at: number, length: number): void {
    this.#content[0] = unit;
    for (let i = 0; i < length; i++) this.#content[1 + i] = pdu[at + i] as number;
    this.#length = 1 + length;
    this.#isAwaited = false;
  }

  /** What was encoded goes out now. */
  expect(): void {
    this.#isAwaited = this.#length > 0;
  }

  cancel(): void {
    this.#isAwaited = false;
  }

  /** Bytes of unit and PDU if an echo begins here, as far as the bytes go; otherwise 0. */
  lengthAt(bytes: Uint8Array, at: number, end: number): number {
    if (!this.#isAwaited) return 0;
    const compared = Math.min(this.#length, end - at);
    for (let i = 0; i < compared; i++) {
      if (bytes[at + i] !== this.#content[i]) return 0;
    }
    return this.#length;
  }

  /** Whether bytes may be the beginning of an answer to what was sent last. */
  mayBeAnswered(bytes: Uint8Array, at: number, end: number): boolean {
    if (this.#length === 0 || bytes[at] !== this.#content[0]) return false;
    return at + 1 >= end || ((bytes[at + 1] as number) & 0x7f) === this.#content[1];
  }

  /** Takes unit and PDU of a sound frame; true when they are an echo, not to be passed on. */
  absorbs(bytes: Uint8Array, at: number, end: number): boolean {
    const isCopy = this.#isAwaited && this.lengthAt(bytes, at, end) === end - at;
    this.#isAwaited = false;
    if (!isCopy) return false;
    if (!this.#mayBeReceived()) this.#echoes = true;
    return this.#echoes;
  }

  /** Whether a frame from another device could look like the one sent. */
  #mayBeReceived(): boolean {
    // No unit answers what was sent to all.
    if (this.#side === 'client' && this.#content[0] === 0) return false;
    const lengthOf = this.#side === 'client' ? responseLength : requestLength;
    const length = lengthOf(this.#content, 0, this.#length);
    return length === unknownLength || length === this.#length + crcLength;
  }
}
