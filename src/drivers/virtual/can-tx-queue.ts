import { CanQueue, noRoom } from '../../frame/can-queue.ts';

/** Frames that wait to be sent, with the times that decide when they are. */
export class CanTxQueue extends CanQueue {
  readonly #queuedUs: Float64Array;
  readonly #frameUs: Float64Array;

  constructor(capacity: number) {
    super(capacity);
    this.#queuedUs = new Float64Array(this.slots);
    this.#frameUs = new Float64Array(this.slots);
  }

  /** When the first frame was queued. */
  get headQueuedUs(): number {
    return this.#queuedUs[this.headSlot] as number;
  }

  /** How long the first frame takes on the bus. */
  get headUs(): number {
    return this.#frameUs[this.headSlot] as number;
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
  ): boolean {
    const slot = this.push(id, flags, dlc, data, offset, length);
    if (slot === noRoom) return false;
    this.#queuedUs[slot] = queuedUs;
    this.#frameUs[slot] = frameUs;
    return true;
  }
}
