import type { LinReadDone } from '../../drivers/driver-channel.ts';
import { maxFdLength } from '../../frame/dlc.ts';

export const noSlot = -1;

const slotsPerBatch = 64;

export const txAction = {
  send: 0,
  masterWrite: 1,
  masterRead: 2,
  syncBreak: 3,
  wakeUp: 4,
} as const;

const enlarged = <Values extends { set(from: Values): void }>(
  from: Values,
  into: Values,
): Values => {
  into.set(from);
  return into;
};

export class FrameStore {
  data = new Uint8Array(0);
  action = new Uint8Array(0);
  id = new Uint32Array(0);
  flags = new Uint16Array(0);
  dlc = new Uint8Array(0);
  length = new Uint8Array(0);
  deadlineUs = new Float64Array(0);
  #next = new Int32Array(0);
  #reads: (LinReadDone | undefined)[] = [];
  #free = noSlot;
  #size = 0;

  constructor(slots: number) {
    this.#grow(slots);
  }

  get size(): number {
    return this.#size;
  }

  /** Allocates a slot, to be filled by `fill`. The store grows if needed. */
  take(action: number, id: number, flags: number, dlc: number): number {
    if (this.#free === noSlot) this.#grow(slotsPerBatch);
    const slot = this.#free;
    this.#free = this.nextOf(slot);
    this.link(slot, noSlot);
    this.#size += 1;
    this.action[slot] = action;
    this.id[slot] = id;
    this.flags[slot] = flags;
    this.dlc[slot] = dlc;
    this.deadlineUs[slot] = Number.POSITIVE_INFINITY;
    return slot;
  }

  free(slot: number): void {
    this.#reads[slot] = undefined;
    this.#putFree(slot);
    this.#size -= 1;
  }

  nextOf(slot: number): number {
    return this.#next[slot] as number;
  }

  link(slot: number, next: number): void {
    this.#next[slot] = next;
  }

  offsetOf(slot: number): number {
    return slot * maxFdLength;
  }

  readOf(slot: number): LinReadDone | undefined {
    return this.#reads[slot];
  }

  setRead(slot: number, read: LinReadDone): void {
    this.#reads[slot] = read;
  }

  fill(slot: number, data: Uint8Array, offset: number, length: number): void {
    const to = this.offsetOf(slot);
    this.length[slot] = length;
    // `set` would need a view of the source, which is an object per frame.
    for (let i = 0; i < length; i++) this.data[to + i] = data[offset + i] as number;
  }

  fillFrom(slot: number, view: DataView, offset: number, length: number): void {
    const to = this.offsetOf(slot);
    this.length[slot] = length;
    for (let i = 0; i < length; i++) this.data[to + i] = view.getUint8(offset + i);
  }

  #grow(slots: number): void {
    const before = this.#next.length;
    const total = before + slots;
    this.data = enlarged(this.data, new Uint8Array(total * maxFdLength));
    this.action = enlarged(this.action, new Uint8Array(total));
    this.id = enlarged(this.id, new Uint32Array(total));
    this.flags = enlarged(this.flags, new Uint16Array(total));
    this.dlc = enlarged(this.dlc, new Uint8Array(total));
    this.length = enlarged(this.length, new Uint8Array(total));
    this.deadlineUs = enlarged(this.deadlineUs, new Float64Array(total));
    this.#next = enlarged(this.#next, new Int32Array(total));
    this.#reads = [...this.#reads, ...new Array<undefined>(slots).fill(undefined)];
    for (let slot = total - 1; slot >= before; slot--) this.#putFree(slot);
  }

  #putFree(slot: number): void {
    this.link(slot, this.#free);
    this.#free = slot;
  }
}
