import type { LinReadDone } from '../../drivers/driver-channel.ts';
import type { Lane } from './lane.ts';

/**
 * Senders of the frames at a port, in order of acceptance, which is the order of outcomes.
 * Numbered from 1 as in the driver. Allocates nothing.
 */
export class TxLedger {
  readonly #mask: number;
  readonly #lanes: (Lane | undefined)[];
  readonly #reads: (LinReadDone | undefined)[];
  readonly #deadlinesUs: Float64Array;
  #accepted = 0;
  #settled = 0;

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

  get next(): number {
    return this.#settled + 1;
  }

  get deadlineUs(): number {
    return this.#deadlinesUs[this.#settled & this.#mask] as number;
  }

  add(lane: Lane, deadlineUs: number, read: LinReadDone | undefined): void {
    const place = this.#accepted & this.#mask;
    this.#lanes[place] = lane;
    this.#reads[place] = read;
    this.#deadlinesUs[place] = deadlineUs;
    this.#accepted += 1;
  }

  get isRead(): boolean {
    return this.#reads[this.#settled & this.#mask] !== undefined;
  }

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
