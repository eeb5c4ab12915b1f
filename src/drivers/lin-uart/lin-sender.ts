import { LinBytes } from './lin-bytes.ts';
import type { LinWire } from './lin-line-ports.ts';
import type { LinLineTiming } from './lin-line-timing.ts';

/** Puts bytes on the wire, and knows which of them have come back: on one wire a node hears itself. */
export class LinSender {
  /** What is sent next. */
  readonly out = new LinBytes();
  /** When what was sent has left, for adapters that do not hand it back; else Infinity. */
  leftUs = Number.POSITIVE_INFINITY;
  readonly #wire: LinWire;
  readonly #echoes: boolean;
  readonly #sent = new LinBytes();
  #heard = 0;

  constructor(wire: LinWire, echoes: boolean) {
    this.#wire = wire;
    this.#echoes = echoes;
  }

  /** Bytes that have not come back. */
  get pending(): number {
    return this.#sent.length - this.#heard;
  }

  /** The next byte that has to come back. */
  get next(): number {
    return this.#sent.bytes[this.#heard] as number;
  }

  sendBreak(): void {
    this.#wire.sendBreak();
  }

  send(timing: LinLineTiming, nowUs: number): void {
    this.#heard = 0;
    this.#sent.copy(this.out);
    if (!this.#echoes) this.leftUs = nowUs + timing.bytesUs(this.out.length);
    this.#wire.write(this.out.bytes, this.out.length);
  }

  /** Whether a byte is the next one that was sent; it then has come back. */
  matches(byte: number): boolean {
    if (byte !== this.next) return false;
    this.#heard += 1;
    return true;
  }

  /** Nothing is expected to come back. */
  clear(): void {
    this.#heard = this.#sent.length;
    this.leftUs = Number.POSITIVE_INFINITY;
  }
}
