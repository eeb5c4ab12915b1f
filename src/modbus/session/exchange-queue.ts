import type { Exchange } from './exchange.ts';

/** Exchanges in the order they came, in a ring that grows as needed up to its limit. */
export class ExchangeQueue {
  readonly limit: number;
  #ring: (Exchange | undefined)[] = new Array(16).fill(undefined);
  #first = 0;
  #length = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= this.limit;
  }

  push(exchange: Exchange): void {
    if (this.#length === this.#ring.length) this.#grow();
    this.#ring[this.#place(this.#length)] = exchange;
    this.#length += 1;
  }

  shift(): Exchange | undefined {
    if (this.#length === 0) return undefined;
    const exchange = this.#ring[this.#first];
    this.#ring[this.#first] = undefined;
    this.#first = this.#place(1);
    this.#length -= 1;
    return exchange;
  }

  /** False when it is not in the queue. */
  remove(exchange: Exchange): boolean {
    let index = 0;
    while (index < this.#length && this.#ring[this.#place(index)] !== exchange) index += 1;
    if (index === this.#length) return false;
    for (; index < this.#length - 1; index += 1) {
      this.#ring[this.#place(index)] = this.#ring[this.#place(index + 1)];
    }
    this.#ring[this.#place(this.#length - 1)] = undefined;
    this.#length -= 1;
    return true;
  }

  #place(index: number): number {
    return (this.#first + index) % this.#ring.length;
  }

  #grow(): void {
    const grown: (Exchange | undefined)[] = new Array(2 * this.#ring.length).fill(undefined);
    for (let index = 0; index < this.#length; index += 1) {
      grown[index] = this.#ring[this.#place(index)];
    }
    this.#ring = grown;
    this.#first = 0;
  }
}
