import { maxLinLength } from '../../frame/lin.ts';
import type { LinReadDone } from '../driver-channel.ts';

export const linAction = { write: 0, read: 1, syncBreak: 2, wakeUp: 3 } as const;

export class LinTxQueue {
  readonly capacity: number;
  readonly data: Uint8Array;
  readonly #actions: Uint8Array;
  readonly #ids: Uint8Array;
  readonly #enhanced: Uint8Array;
  readonly #lengths: Uint8Array;
  readonly #queuedUs: Float64Array;
  readonly #untilUs: Float64Array;
  readonly #done: (LinReadDone | undefined)[];
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.data = new Uint8Array(capacity * maxLinLength);
    this.#actions = new Uint8Array(capacity);
    this.#ids = new Uint8Array(capacity);
    this.#enhanced = new Uint8Array(capacity);
    this.#lengths = new Uint8Array(capacity);
    this.#queuedUs = new Float64Array(capacity);
    this.#untilUs = new Float64Array(capacity);
    this.#done = new Array<LinReadDone | undefined>(capacity).fill(undefined);
  }

  get size(): number {
    return this.#size;
  }

  get headAction(): number {
    return this.#actions[this.#head] as number;
  }

  get headId(): number {
    return this.#ids[this.#head] as number;
  }

  get headIsEnhanced(): boolean {
    return this.#enhanced[this.#head] === 1;
  }

  get headLength(): number {
    return this.#lengths[this.#head] as number;
  }

  get headOffset(): number {
    return this.#head * maxLinLength;
  }

  get headQueuedUs(): number {
    return this.#queuedUs[this.#head] as number;
  }

  /** Latest end of a read. */
  get headUntilUs(): number {
    return this.#untilUs[this.#head] as number;
  }

  push(
    action: number,
    id: number,
    enhanced: boolean,
    length: number,
    queuedUs: number,
    done?: LinReadDone,
    untilUs = Number.POSITIVE_INFINITY,
  ): boolean {
    if (this.#size === this.capacity) return false;
    const slot = (this.#head + this.#size) % this.capacity;
    this.#actions[slot] = action;
    this.#ids[slot] = id;
    this.#enhanced[slot] = enhanced ? 1 : 0;
    this.#lengths[slot] = length;
    this.#queuedUs[slot] = queuedUs;
    this.#untilUs[slot] = untilUs;
    this.#done[slot] = done;
    this.#size += 1;
    return true;
  }

  fillLast(data: Uint8Array, offset: number, length: number): void {
    const to = ((this.#head + this.#size - 1) % this.capacity) * maxLinLength;
    for (let i = 0; i < length; i++) this.data[to + i] = data[offset + i] as number;
  }

  take(): LinReadDone | undefined {
    const done = this.#done[this.#head];
    this.#done[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.capacity;
    this.#size -= 1;
    return done;
  }
}
