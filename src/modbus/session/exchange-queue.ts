import type { Exchange } from './exchange.ts';

/** How long an exchange waits at the most, unless its time-out is longer. */
const longestUs = 5_000_000;

/** Says which exchanges are meant, by themselves and by when they came. */
export type ExchangeTest = (exchange: Exchange, sinceUs: number) => boolean;

const expiryOf = ({ timeoutMs }: Exchange, sinceUs: number): number =>
  sinceUs + Math.max(longestUs, 1000 * timeoutMs);

const everyOne: ExchangeTest = () => true;

/** Exchanges in the order they came, in a ring that grows as needed up to its limit. */
export class ExchangeQueue {
  readonly limit: number;
  /** When the exchange came that was taken out last. */
  takenSinceUs = 0;
  /** None of them has waited too long before then. It may be earlier than need be. */
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

  /** Takes out the first that is wanted. */
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

  /** Takes out all that are wanted, or simply all, in their order. */
  takeAll(isWanted: ExchangeTest = everyOne): Exchange[] {
    const taken: Exchange[] = [];
    for (let left = this.#length; left > 0; left -= 1) {
      const exchange = this.shift() as Exchange;
      if (isWanted(exchange, this.takenSinceUs)) taken.push(exchange);
      else this.push(exchange, this.takenSinceUs);
    }
    return taken;
  }

  /** Lets all exchanges with a unit wait behind the others that are here. */
  moveBehind(unit: number): void {
    const moved: [exchange: Exchange, sinceUs: number][] = [];
    for (let left = this.#length; left > 0; left -= 1) {
      const exchange = this.shift() as Exchange;
      if (exchange.unit === unit) moved.push([exchange, this.takenSinceUs]);
      else this.push(exchange, this.takenSinceUs);
    }
    for (const [exchange, sinceUs] of moved) this.push(exchange, sinceUs);
  }

  /** Takes out all that have waited too long, with the times when they came. */
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

  /** Closes the gap where one is taken out. */
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
