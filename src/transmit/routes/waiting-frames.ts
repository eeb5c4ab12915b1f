import { maxFdLength } from '../../frame/dlc.ts';

/** CAN frames that wait for room in the queue of their channel, in flat memory that is reused. */
export class WaitingFrames {
  readonly #capacity: number;
  readonly #ids: Uint32Array;
  readonly #flags: Uint16Array;
  readonly #dlcs: Uint8Array;
  readonly #lengths: Uint8Array;
  /** The bytes of all frames; those of the first start at `offset`. */
  readonly data: Uint8Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#ids = new Uint32Array(capacity);
    this.#flags = new Uint16Array(capacity);
    this.#dlcs = new Uint8Array(capacity);
    this.#lengths = new Uint8Array(capacity);
    this.data = new Uint8Array(capacity * maxFdLength);
  }

  get size(): number {
    return this.#size;
  }

  get id(): number {
    return this.#ids[this.#head] as number;
  }

  get flags(): number {
    return this.#flags[this.#head] as number;
  }

  get dlc(): number {
    return this.#dlcs[this.#head] as number;
  }

  get length(): number {
    return this.#lengths[this.#head] as number;
  }

  get offset(): number {
    return this.#head * maxFdLength;
  }

  /** Whether there was room. */
  push(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): boolean {
    if (this.#size === this.#capacity) return false;
    const slot = (this.#head + this.#size) % this.#capacity;
    this.#ids[slot] = id;
    this.#flags[slot] = flags;
    this.#dlcs[slot] = dlc;
    this.#lengths[slot] = length;
    const to = slot * maxFdLength;
    for (let i = 0; i < length; i++) this.data[to + i] = data[offset + i] as number;
    this.#size += 1;
    return true;
  }

  /** Removes the first frame. */
  pop(): void {
    this.#head = (this.#head + 1) % this.#capacity;
    this.#size -= 1;
  }

  /** Drops everything and says how much that was. */
  clear(): number {
    const dropped = this.#size;
    this.#size = 0;
    return dropped;
  }
}
