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

  /** Takes out the first that is wanted. */
  take(isWanted: (exchange: Exchange) => boolean): Exchange | undefined {
    for (let index = 0; index < this.#length; index += 1) {
      const exchange = this.#ring[this.#place(index)] as Exchange;
      if (!isWanted(exchange)) continue;
      this.#close(index);
      return exchange;
    }
    return undefined;
  }

  /** Takes out all that are wanted, in their order. */
  takeAll(isWanted: (exchange: Exchange) => boolean): Exchange[] {
    const taken: Exchange[] = [];
    for (let left = this.#length; left > 0; left -= 1) {
      const exchange = this.shift() as Exchange;
      if (isWanted(exchange)) taken.push(exchange);
      else this.push(exchange);
    }
    return taken;
  }

  /** Closes the gap where one is taken out. */
  #close(gap: number): void {
    for (let index = gap; index < this.#length - 1; index += 1) {
      this.#ring[this.#place(index)] = this.#ring[this.#place(index + 1)];
    }
    this.#ring[this.#place(this.#length - 1)] = undefined;
    this.#length -= 1;
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
