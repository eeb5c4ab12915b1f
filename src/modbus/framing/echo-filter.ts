import { requestLength, responseLength, unknownLength } from './rtu-lengths.ts';

/** A client sends requests and receives responses; a server does the opposite. */
export type Side = 'client' | 'server';

const maxContent = 254;
const crcLength = 2;

/**
 * Detects the echo of our own frames on two-wire adapters. If no received frame can have the
 * same format as the sent one, a copy must be its echo. A copy of a single write may also be
 * the response; then the known state of the line decides.
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

  remember(unit: number, pdu: Uint8Array, at: number, length: number): void {
    this.#content[0] = unit;
    for (let i = 0; i < length; i++) this.#content[1 + i] = pdu[at + i] as number;
    this.#length = 1 + length;
    this.#isAwaited = false;
  }

  expect(): void {
    this.#isAwaited = this.#length > 0;
  }

  cancel(): void {
    this.#isAwaited = false;
  }

  /** Length of unit and PDU if an echo starts here; otherwise 0. */
  lengthAt(bytes: Uint8Array, at: number, end: number): number {
    if (!this.#isAwaited) return 0;
    const compared = Math.min(this.#length, end - at);
    for (let i = 0; i < compared; i++) {
      if (bytes[at + i] !== this.#content[i]) return 0;
    }
    return this.#length;
  }

  /** Returns whether these bytes may start a response to the last request. */
  mayBeAnswered(bytes: Uint8Array, at: number, end: number): boolean {
    if (this.#length === 0 || bytes[at] !== this.#content[0]) return false;
    return at + 1 >= end || ((bytes[at + 1] as number) & 0x7f) === this.#content[1];
  }

  /** Consumes unit and PDU of a valid frame. Returns true if they are an echo. */
  absorbs(bytes: Uint8Array, at: number, end: number): boolean {
    const isCopy = this.#isAwaited && this.lengthAt(bytes, at, end) === end - at;
    this.#isAwaited = false;
    if (!isCopy) return false;
    if (!this.#mayBeReceived()) this.#echoes = true;
    return this.#echoes;
  }

  #mayBeReceived(): boolean {
    // No unit responds to a broadcast.
    if (this.#side === 'client' && this.#content[0] === 0) return false;
    const lengthOf = this.#side === 'client' ? responseLength : requestLength;
    const length = lengthOf(this.#content, 0, this.#length);
    return length === unknownLength || length === this.#length + crcLength;
  }
}
