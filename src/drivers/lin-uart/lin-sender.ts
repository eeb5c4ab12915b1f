import { LinBytes } from './lin-bytes.ts';
import type { LinWire } from './lin-line-ports.ts';
import type { LinLineTiming } from './lin-line-timing.ts';

/** Sends bytes and matches their echo: on a single wire a node receives its own bytes. */
export class LinSender {
  readonly out = new LinBytes();
  /** Time when sent bytes have left an adapter without echo; Infinity with echo. */
  leftUs = Number.POSITIVE_INFINITY;
  readonly #wire: LinWire;
  readonly #echoes: boolean;
  readonly #sent = new LinBytes();
  #received = 0;

  constructor(wire: LinWire, echoes: boolean) {
    this.#wire = wire;
    this.#echoes = echoes;
  }

  get pending(): number {
    return this.#sent.length - this.#received;
  }

  get next(): number {
    return this.#sent.bytes[this.#received] as number;
  }

  sendBreak(): void {
    this.#wire.sendBreak();
  }

  send(timing: LinLineTiming, nowUs: number): void {
    this.#received = 0;
    this.#sent.copy(this.out);
    if (!this.#echoes) this.leftUs = nowUs + timing.bytesUs(this.out.length);
    this.#wire.write(this.out.bytes, this.out.length);
  }

  matches(byte: number): boolean {
    if (byte !== this.next) return false;
    this.#received += 1;
    return true;
  }

  clear(): void {
    this.#received = this.#sent.length;
    this.leftUs = Number.POSITIVE_INFINITY;
  }
}
