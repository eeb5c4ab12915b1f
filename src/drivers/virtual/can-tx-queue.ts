import { CanQueue } from '../../frame/can-queue.ts';

/**
 * Frames waiting to be sent, with their times and owners. The times of the first frame are
 * plain fields, because the bus reads them many times per frame.
 */
export class CanTxQueue extends CanQueue {
  headQueuedUs = 0;
  headUs = 0;
  headDeadlineUs = Number.POSITIVE_INFINITY;
  readonly #queuedUs: Float64Array;
  readonly #frameUs: Float64Array;
  readonly #deadlineUs: Float64Array;
  readonly #own: Uint8Array;
  #ownFrames = 0;

  constructor(capacity: number) {
    super(capacity);
    this.#queuedUs = new Float64Array(this.slots);
    this.#frameUs = new Float64Array(this.slots);
    this.#deadlineUs = new Float64Array(this.slots);
    this.#own = new Uint8Array(this.slots);
  }

  get ownFrames(): number {
    return this.#ownFrames;
  }

  get headIsOwn(): boolean {
    return this.#own[this.headSlot] === 1;
  }

  time(slot: number, queuedUs: number, frameUs: number, deadlineUs: number): void {
    this.#queuedUs[slot] = queuedUs;
    this.#frameUs[slot] = frameUs;
    this.#deadlineUs[slot] = deadlineUs;
    if (slot === this.headSlot) this.#showHead();
  }

  markLastOwn(): void {
    this.#own[(this.headSlot + this.size - 1) % this.slots] = 1;
    this.#ownFrames += 1;
  }

  override pop(): void {
    if (this.headIsOwn) this.#ownFrames -= 1;
    this.#own[this.headSlot] = 0;
    super.pop();
    this.#showHead();
  }

  override clear(): number {
    this.#own.fill(0);
    this.#ownFrames = 0;
    const dropped = super.clear();
    this.#showHead();
    return dropped;
  }

  #showHead(): void {
    const { headSlot } = this;
    this.headQueuedUs = this.#queuedUs[headSlot] as number;
    this.headUs = this.#frameUs[headSlot] as number;
    this.headDeadlineUs =
      this.size === 0 ? Number.POSITIVE_INFINITY : (this.#deadlineUs[headSlot] as number);
  }
}
