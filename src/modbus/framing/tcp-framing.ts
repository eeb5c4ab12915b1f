import { maxPduLength } from '../pdu/function-codes.ts';
import { wordAt } from '../pdu/wire-words.ts';
import {
  type FrameReceiver,
  type Framing,
  type FramingProblemKind,
  maxShown,
  placePdu,
} from './framing.ts';

const prefixLength = 6;
const headerLength = 7;
const minCounted = 2;
const maxCounted = 1 + maxPduLength;

/** Modbus TCP. Frames contain their length, so only a stream that is not Modbus can confuse it. */
export class TcpFraming implements Framing {
  readonly carriesTransactions = true;
  readonly maxLength = prefixLength + maxCounted;
  readonly pduOffset = headerLength;
  readonly nextDeadlineUs = Number.POSITIVE_INFINITY;
  readonly #receiver: FrameReceiver;
  readonly #held = new Uint8Array(prefixLength + maxCounted);
  #length = 0;
  #isBroken = false;
  #resets = 0;

  constructor(receiver: FrameReceiver) {
    this.#receiver = receiver;
  }

  push(bytes: Uint8Array): void {
    const resets = this.#resets;
    let at = 0;
    while (at < bytes.length && !this.#isBroken && resets === this.#resets) {
      at = this.#length === 0 ? this.#take(bytes, at) : this.#complete(bytes, at);
    }
  }

  idle(): void {}

  reset(): void {
    this.#length = 0;
    this.#isBroken = false;
    this.#resets += 1;
  }

  encode(
    into: Uint8Array,
    at: number,
    transaction: number,
    unit: number,
    pdu: Uint8Array,
    pduAt: number,
    pduLength: number,
  ): number {
    placePdu(into, at + headerLength, pdu, pduAt, pduLength);
    into[at] = transaction >> 8;
    into[at + 1] = transaction;
    into[at + 2] = 0;
    into[at + 3] = 0;
    into[at + 4] = (pduLength + 1) >> 8;
    into[at + 5] = pduLength + 1;
    into[at + 6] = unit;
    return headerLength + pduLength;
  }

  sent(): void {}

  #take(bytes: Uint8Array, at: number): number {
    const available = bytes.length - at;
    if (available >= prefixLength) {
      if (!this.#isSound(bytes, at, available)) return bytes.length;
      const end = at + prefixLength + wordAt(bytes, at + 4);
      if (end <= bytes.length) {
        this.#deliver(bytes, at, end);
        return end;
      }
    }
    return this.#hold(bytes, at, available);
  }

  #complete(bytes: Uint8Array, from: number): number {
    let at = from;
    if (this.#length < prefixLength) {
      at = this.#hold(bytes, at, Math.min(prefixLength - this.#length, bytes.length - at));
      if (this.#length < prefixLength) return at;
      if (!this.#isSound(this.#held, 0, prefixLength + bytes.length - at)) return bytes.length;
    }
    const end = prefixLength + wordAt(this.#held, 4);
    at = this.#hold(bytes, at, Math.min(end - this.#length, bytes.length - at));
    if (this.#length < end) return at;
    this.#length = 0;
    this.#deliver(this.#held, 0, end);
    return at;
  }

  #hold(bytes: Uint8Array, at: number, count: number): number {
    for (let i = 0; i < count; i++) this.#held[this.#length + i] = bytes[at + i] as number;
    this.#length += count;
    return at + count;
  }

  #deliver(bytes: Uint8Array, at: number, end: number): void {
    const pduAt = at + headerLength;
    const unit = bytes[at + 6] as number;
    this.#receiver.frame(wordAt(bytes, at), unit, bytes, pduAt, end - pduAt);
  }

  #isSound(bytes: Uint8Array, at: number, available: number): boolean {
    const counted = wordAt(bytes, at + 4);
    const isModbus = wordAt(bytes, at + 2) === 0;
    if (isModbus && counted >= minCounted && counted <= maxCounted) return true;
    const shown = bytes.subarray(at, at + Math.min(available, maxShown));
    return this.#break(isModbus ? 'bad_length' : 'bad_protocol', available, shown);
  }

  /** The start of the next frame is unknown, so the remaining bytes are ignored. */
  #break(kind: FramingProblemKind, discarded: number, bytes: Uint8Array): false {
    this.#length = 0;
    this.#isBroken = true;
    this.#receiver.problem({ kind, discarded, fatal: true, bytes, claim: undefined });
    return false;
  }
}
