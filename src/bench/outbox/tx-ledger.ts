import type { LinReadDone } from '../../drivers/driver-channel.ts';
import type { Lane } from './lane.ts';

/**
 * Whose the frames are that a port has, in the order in which it accepted them, which is the order of
 * their outcomes. Frames are numbered from 1, as the driver numbers them. Adding allocates nothing.
 */
export class TxLedger {
  readonly #mask: number;
  readonly #lanes: (Lane | undefined)[];
  readonly #reads: (LinReadDone | undefined)[];
  readonly #deadlinesUs: Float64Array;
  #accepted = 0;
  #settled = 0;

  /** Room for at least so many frames. */
  constructor(capacity: number) {
    const size = 2 ** Math.ceil(Math.log2(capacity));
    this.#mask = size - 1;
    this.#lanes = new Array<Lane | undefined>(size).fill(undefined);
    this.#reads = new Array<LinReadDone | undefined>(size).fill(undefined);
    this.#deadlinesUs = new Float64Array(size);
  }

  /** Frames without an outcome. */
  get pending(): number {
    return this.#accepted - this.#settled;
  }

  get isFull(): boolean {
    return this.pending > this.#mask;
  }

  /** The number of the next frame to have an outcome. */
  get next(): number {
    return this.#settled + 1;
  }

  /** By when the next frame had to begin. */
  get deadlineUs(): number {
    return this.#deadlinesUs[this.#settled & this.#mask] as number;
  }

  /** The port has accepted a frame of that lane. `read` waits for the response, if there is to be one. */
  add(lane: Lane, deadlineUs: number, read: LinReadDone | undefined): void {
    const place = this.#accepted & this.#mask;
    this.#lanes[place] = lane;
    this.#reads[place] = read;
    this.#deadlinesUs[place] = deadlineUs;
    this.#accepted += 1;
  }

  /** Whether a response is awaited to the next frame. */
  get isRead(): boolean {
    return this.#reads[this.#settled & this.#mask] !== undefined;
  }

  /** Who waits for the response to the next frame. */
  takeRead(): LinReadDone | undefined {
    const place = this.#settled & this.#mask;
    const read = this.#reads[place];
    this.#reads[place] = undefined;
    return read;
  }

  /** The next frame has its outcome: says whose it was. */
  settle(): Lane | undefined {
    if (this.pending === 0) return undefined;
    const place = this.#settled & this.#mask;
    const lane = this.#lanes[place];
    this.#lanes[place] = undefined;
    this.#reads[place] = undefined;
    this.#settled += 1;
    return lane;
  }
}
