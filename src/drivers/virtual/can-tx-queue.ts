import { CanQueue, noRoom } from '../../frame/can-queue.ts';

/** Frames that wait to be sent, with the times that decide when they are. */
export class CanTxQueue extends CanQueue {
  readonly #queuedUs: Float64Array;
  readonly #frameUs: Float64Array;
  readonly #deadlineUs: Float64Array;

  constructor(capacity: number) {
    super(capacity);
    this.#queuedUs = new Float64Array(this.slots);
    this.#frameUs = new Float64Array(this.slots);
    this.#deadlineUs = new Float64Array(this.slots);
  }

  /** When the first frame was queued. */
  get headQueuedUs(): number {
    return this.#queuedUs[this.headSlot] as number;
  }

  /** How long the first frame takes on the bus. */
  get headUs(): number {
    return this.#frameUs[this.headSlot] as number;
  }

  /** By when the first frame must begin; Infinity if it has time, or if there is none. */
  get headDeadlineUs(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : (this.#deadlineUs[this.headSlot] as number);
  }

  /** Whether there was room. */
  pushTimed(
    id: number,
    flags: number,
    dlc: number,
    data: Uint8Array,
    offset: number,
    length: number,
    queuedUs: number,
    frameUs: number,
    deadlineUs = Number.POSITIVE_INFINITY,
  ): boolean {
    const slot = this.push(id, flags, dlc, data, offset, length);
    if (slot === noRoom) return false;
    this.#queuedUs[slot] = queuedUs;
    this.#frameUs[slot] = frameUs;
    this.#deadlineUs[slot] = deadlineUs;
    return true;
  }
}
