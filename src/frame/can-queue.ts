import { maxFdLength } from './dlc.ts';

export const noRoom = -1;

export class CanQueue {
  readonly capacity: number;
  /** One more than the capacity: the last removed frame stays readable while it is reported. */
  readonly slots: number;
  readonly data: Uint8Array;
  readonly #ids: Uint32Array;
  readonly #flags: Uint16Array;
  readonly #dlcs: Uint8Array;
  readonly #lengths: Uint8Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    const slots = capacity + 1;
    this.capacity = capacity;
    this.slots = slots;
    this.data = new Uint8Array(slots * maxFdLength);
    this.#ids = new Uint32Array(slots);
    this.#flags = new Uint16Array(slots);
    this.#dlcs = new Uint8Array(slots);
    this.#lengths = new Uint8Array(slots);
  }

  get size(): number {
    return this.#size;
  }

  get headSlot(): number {
    return this.#head;
  }

  get headId(): number {
    return this.#ids[this.#head] as number;
  }

  get headFlags(): number {
    return this.#flags[this.#head] as number;
  }

  get headDlc(): number {
    return this.#dlcs[this.#head] as number;
  }

  get headLength(): number {
    return this.#lengths[this.#head] as number;
  }

  get headOffset(): number {
    return this.#head * maxFdLength;
  }

  push(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
  ): number {
    if (this.#size === this.capacity) return noRoom;
    const slot = (this.#head + this.#size) % this.slots;
    this.#ids[slot] = id;
    this.#flags[slot] = flags;
    this.#dlcs[slot] = dlc;
    this.#lengths[slot] = length;
    const to = slot * maxFdLength;
    // `set` would need a view of the source, which is one object per frame.
    for (let i = 0; i < length; i++) this.data[to + i] = data[offset + i] as number;
    this.#size += 1;
    return slot;
  }

  pop(): void {
    this.#head = (this.#head + 1) % this.slots;
    this.#size -= 1;
  }

  clear(): number {
    const dropped = this.#size;
    this.#head = (this.#head + dropped) % this.slots;
    this.#size = 0;
    return dropped;
  }
}
