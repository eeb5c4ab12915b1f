import type { Clock } from '../base/clock/clock.ts';
import type { FileSplit } from './recording-request.ts';

/** Room for one more event, the last event id and the end of a trace. */
const reserve = 4096;
/** Size of an event in any format, with its remarks. */
const maxRowBytes = 512;
/** A file is full from here on, but a boundary between event ids is awaited. */
const patienceBytes = 32 * 1024;
const patienceUs = 500_000;

/** When a file has to give way to the next one. */
export class SplitLimits {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #maxUs: number;
  readonly #reserve: number;
  readonly #patience: number;
  #openedUs = 0;

  constructor(clock: Clock, { max_bytes, max_seconds }: FileSplit) {
    this.#clock = clock;
    this.#maxBytes = max_bytes ?? Number.POSITIVE_INFINITY;
    this.#maxUs = max_seconds === undefined ? Number.POSITIVE_INFINITY : max_seconds * 1e6;
    this.#reserve = Math.min(reserve, this.#maxBytes / 4);
    this.#patience = Math.min(patienceBytes, this.#maxBytes / 8);
  }

  /** Clock steps do not matter: the monotonic clock counts the seconds. */
  opened(): void {
    this.#openedUs = this.#clock.monotonicUs();
  }

  /** Whether a number of rows cannot be written without a check of each. */
  isNear(size: number, rows: number): boolean {
    return this.isOver(size + rows * maxRowBytes);
  }

  isOver(size: number): boolean {
    return size + this.#reserve + this.#patience > this.#maxBytes || this.#ageUs >= this.#maxUs;
  }

  /** No more patience: the next event can belong to either file. */
  isFarOver(size: number): boolean {
    return size + this.#reserve > this.#maxBytes || this.#ageUs >= this.#maxUs + patienceUs;
  }

  get #ageUs(): number {
    return this.#clock.monotonicUs() - this.#openedUs;
  }
}
