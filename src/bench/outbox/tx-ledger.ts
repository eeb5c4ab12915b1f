import type { LinReadDone } from '../../drivers/driver-channel.ts';
import type { Lane } from './lane.ts';

/**
 * Owners of the frames at a port, in order of acceptance, which is the order of outcomes.
 * Numbered from 1 like the driver's. Allocates nothing.
 */
export class TxLedger {
  readonly #mask: number;
  readonly #lanes: (Lane | undefined)[];
  readonly #reads: (LinReadDone | undefined)[];
  readonly #deadlinesUs: Float64Array;
  #accepted = 0;
  #settled = 0;

  /** Minimum capacity. */
  constructor(capacity: number) {
    const size = 2 ** Math.ceil(Math.log2(capacity));
    this.#mask = size - 1;
    this.#lanes = new Array<Lane | undefined>(size).fill(undefined);
    this.#reads = new Array<LinReadDone | undefined>(size).fill(undefined);
    this.#deadlinesUs = new Float64Array(size);
  }

  get pending(): number {
    return this.#accepted - this.#settled;
  }

  get isFull(): boolean {
    return this.pending > this.#mask;
  }

  /** Number of the next frame to settle. */
  get next(): number {
    return this.#settled + 1;
  }

  /** Deadline of the next frame. */
  get deadlineUs(): number {
    return this.#deadlinesUs[this.#settled & this.#mask] as number;
  }

  /** The port accepted a frame. `read` awaits its response, if any. */
  add(lane: Lane, deadlineUs: number, read: LinReadDone | undefined): void {
    const place = this.#accepted & this.#mask;
    this.#lanes[place] = lane;
    this.#reads[place] = read;
    this.#deadlinesUs[place] = deadlineUs;
    this.#accepted += 1;
  }

  /** Whether the next frame awaits a response. */
  get isRead(): boolean {
    return this.#reads[this.#settled & this.#mask] !== undefined;
  }

  /** Takes the listener of the next response. */
  takeRead(): LinReadDone | undefined {
    const place = this.#settled & this.#mask;
    const read = this.#reads[place];
    this.#reads[place] = undefined;
    return read;
  }

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
