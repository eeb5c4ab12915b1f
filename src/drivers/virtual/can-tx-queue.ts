import { maxFdLength } from '../../frame/dlc.ts';

/** Frames that wait to be sent, in flat memory that is reused. */
export class CanTxQueue {
  readonly capacity: number;
  /** The bytes of all frames; those of the first start at `headOffset`. */
  readonly data: Uint8Array;
  readonly #slots: number;
  readonly #ids: Uint32Array;
  readonly #flags: Uint16Array;
  readonly #dlcs: Uint8Array;
  readonly #lengths: Uint8Array;
  readonly #queuedUs: Float64Array;
  readonly #frameUs: Float64Array;
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    // One more than can be filled: the frame removed last stays readable while it is reported.
    const slots = capacity + 1;
    this.#slots = slots;
    this.data = new Uint8Array(slots * maxFdLength);
    this.#ids = new Uint32Array(slots);
    this.#flags = new Uint16Array(slots);
    this.#dlcs = new Uint8Array(slots);
    this.#lengths = new Uint8Array(slots);
    this.#queuedUs = new Float64Array(slots);
    this.#frameUs = new Float64Array(slots);
  }

  get size(): number {
    return this.#size;
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

  /** When the first frame was queued. */
  get headQueuedUs(): number {
    return this.#queuedUs[this.#head] as number;
  }

  /** How long the first frame takes on the bus. */
  get headUs(): number {
    return this.#frameUs[this.#head] as number;
  }

  /** Whether there was room. */
  push(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    queuedUs: number,
    frameUs: number,
  ): boolean {
    if (this.#size === this.capacity) return false;
    const slot = (this.#head + this.#size) % this.#slots;
    this.#ids[slot] = id;
    this.#flags[slot] = flags;
    this.#dlcs[slot] = dlc;
    this.#lengths[slot] = length;
    this.#queuedUs[slot] = queuedUs;
    this.#frameUs[slot] = frameUs;
    const to = slot * maxFdLength;
    // A call to `set` would need a view of the source, an object for every frame.
    for (let i = 0; i < length; i++) this.data[to + i] = data[offset + i] as number;
    this.#size += 1;
    return true;
  }

  /** Removes the first frame. */
  pop(): void {
    this.#head = (this.#head + 1) % this.#slots;
    this.#size -= 1;
  }

  /** Drops everything and says how much that was. */
  clear(): number {
    const dropped = this.#size;
    this.#head = (this.#head + dropped) % this.#slots;
    this.#size = 0;
    return dropped;
  }
}
