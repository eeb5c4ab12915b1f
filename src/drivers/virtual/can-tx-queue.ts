import { CanQueue } from '../../frame/can-queue.ts';

/**
 * Frames that wait to be sent, with what decides when they are, and whose they are. The times of the
 * first are at hand as plain fields: the bus asks for them many times for every frame.
 */
export class CanTxQueue extends CanQueue {
  /** When the first frame was queued. */
  headQueuedUs = 0;
  /** Its bus time. */
  headUs = 0;
  /** Its deadline; Infinity without one. */
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

  /** The device's own frames. */
  get ownFrames(): number {
    return this.#ownFrames;
  }

  get headIsOwn(): boolean {
    return this.#own[this.headSlot] === 1;
  }

  /** Sets the times of a frame. */
  time(slot: number, queuedUs: number, frameUs: number, deadlineUs: number): void {
    this.#queuedUs[slot] = queuedUs;
    this.#frameUs[slot] = frameUs;
    this.#deadlineUs[slot] = deadlineUs;
    if (slot === this.headSlot) this.#showHead();
  }

  /** Marks the last frame as the device's own. */
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
