import { maxFdLength } from '../frame/dlc.ts';

/**
 * Newest frames of all peers in fixed memory. Frames are numbered from 0; each reader has its
 * own index.
 */
export class FrameLog {
  readonly capacity: number;
  readonly #ids: Uint32Array;
  readonly #flags: Uint32Array;
  readonly #dlcs: Uint8Array;
  readonly #lengths: Uint8Array;
  readonly #arrivals: Float64Array;
  readonly data: Uint8Array;
  head = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#ids = new Uint32Array(capacity);
    this.#flags = new Uint32Array(capacity);
    this.#dlcs = new Uint8Array(capacity);
    this.#lengths = new Uint8Array(capacity);
    this.#arrivals = new Float64Array(capacity);
    this.data = new Uint8Array(capacity * maxFdLength);
  }

  push(
    id: number,
    flags: number,
    dlc: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    arrivedUs: number,
  ): void {
    const slot = this.head % this.capacity;
    this.#ids[slot] = id;
    this.#flags[slot] = flags;
    this.#dlcs[slot] = dlc;
    this.#lengths[slot] = length;
    this.#arrivals[slot] = arrivedUs;
    const dataAt = slot * maxFdLength;
    for (let byte = 0; byte < length; byte++) {
      this.data[dataAt + byte] = bytes[offset + byte] as number;
    }
    this.head++;
  }

  get oldest(): number {
    return Math.max(0, this.head - this.capacity);
  }

  idAt(index: number): number {
    return this.#ids[index % this.capacity] as number;
  }

  flagsAt(index: number): number {
    return this.#flags[index % this.capacity] as number;
  }

  dlcAt(index: number): number {
    return this.#dlcs[index % this.capacity] as number;
  }

  lengthAt(index: number): number {
    return this.#lengths[index % this.capacity] as number;
  }

  arrivedUsAt(index: number): number {
    return this.#arrivals[index % this.capacity] as number;
  }

  dataAt(index: number): number {
    return (index % this.capacity) * maxFdLength;
  }

  /** First frame from `from` on that arrived at or after a time; otherwise the head. */
  firstSince(timeUs: number, from: number): number {
    let low = from;
    let high = this.head;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#arrivals[middle % this.capacity] as number) < timeUs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
