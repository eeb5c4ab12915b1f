import type { Exchange } from './exchange.ts';

/** Maximum wait of an exchange, unless its timeout is longer. */
const maxUs = 5_000_000;

export type ExchangeTest = (exchange: Exchange, sinceUs: number) => boolean;

const expiryOf = ({ timeoutMs }: Exchange, sinceUs: number): number =>
  sinceUs + Math.max(maxUs, 1000 * timeoutMs);

const everyOne: ExchangeTest = () => true;

export class ExchangeQueue {
  readonly limit: number;
  takenSinceUs = 0;
  /** Lower bound of the next expiry. */
  expiryUs = Number.POSITIVE_INFINITY;
  #ring: (Exchange | undefined)[] = new Array(16).fill(undefined);
  #sinceUs = new Float64Array(16);
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

  push(exchange: Exchange, sinceUs: number): void {
    if (this.#length === this.#ring.length) this.#grow();
    this.#put(this.#length, exchange, sinceUs);
    this.#length += 1;
    this.expiryUs = Math.min(this.expiryUs, expiryOf(exchange, sinceUs));
  }

  shift(): Exchange | undefined {
    if (this.#length === 0) return undefined;
    const exchange = this.#ring[this.#first];
    this.takenSinceUs = this.#sinceUs[this.#first] as number;
    this.#ring[this.#first] = undefined;
    this.#first = this.#place(1);
    this.#shrink();
    return exchange;
  }

  take(isWanted: ExchangeTest): Exchange | undefined {
    for (let index = 0; index < this.#length; index += 1) {
      const [exchange, sinceUs] = this.#at(index);
      if (!isWanted(exchange, sinceUs)) continue;
      this.takenSinceUs = sinceUs;
      this.#close(index);
      return exchange;
    }
    return undefined;
  }

  takeAll(isWanted: ExchangeTest = everyOne): Exchange[] {
    const taken: Exchange[] = [];
    for (let left = this.#length; left > 0; left -= 1) {
      const exchange = this.shift() as Exchange;
      if (isWanted(exchange, this.takenSinceUs)) taken.push(exchange);
      else this.push(exchange, this.takenSinceUs);
    }
    return taken;
  }

  moveBehind(unit: number): void {
    const moved: [exchange: Exchange, sinceUs: number][] = [];
    for (let left = this.#length; left > 0; left -= 1) {
      const exchange = this.shift() as Exchange;
      if (exchange.unit === unit) moved.push([exchange, this.takenSinceUs]);
      else this.push(exchange, this.takenSinceUs);
    }
    for (const [exchange, sinceUs] of moved) this.push(exchange, sinceUs);
  }

  takeExpired(nowUs: number): [exchange: Exchange, sinceUs: number][] {
    const expired: [exchange: Exchange, sinceUs: number][] = [];
    this.expiryUs = Number.POSITIVE_INFINITY;
    for (let left = this.#length; left > 0; left -= 1) {
      const exchange = this.shift() as Exchange;
      const sinceUs = this.takenSinceUs;
      if (expiryOf(exchange, sinceUs) <= nowUs) expired.push([exchange, sinceUs]);
      else this.push(exchange, sinceUs);
    }
    return expired;
  }

  #close(gap: number): void {
    for (let index = gap; index < this.#length - 1; index += 1) {
      this.#put(index, ...this.#at(index + 1));
    }
    this.#ring[this.#place(this.#length - 1)] = undefined;
    this.#shrink();
  }

  #shrink(): void {
    this.#length -= 1;
    if (this.#length === 0) this.expiryUs = Number.POSITIVE_INFINITY;
  }

  #at(index: number): [exchange: Exchange, sinceUs: number] {
    const place = this.#place(index);
    return [this.#ring[place] as Exchange, this.#sinceUs[place] as number];
  }

  #put(index: number, exchange: Exchange, sinceUs: number): void {
    const place = this.#place(index);
    this.#ring[place] = exchange;
    this.#sinceUs[place] = sinceUs;
  }

  #place(index: number): number {
    return (this.#first + index) % this.#ring.length;
  }

  #grow(): void {
    const grown: (Exchange | undefined)[] = new Array(2 * this.#ring.length).fill(undefined);
    const grownUs = new Float64Array(grown.length);
    for (let index = 0; index < this.#length; index += 1) {
      [grown[index], grownUs[index]] = this.#at(index) as [Exchange, number];
    }
    this.#ring = grown;
    this.#sinceUs = grownUs;
    this.#first = 0;
  }
}
