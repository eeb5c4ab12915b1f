/**
 * Reading steps that stay correct while writers write. A merged pass reads the watermark before
 * the heads of its rings. Slots are copied, never used in place. Reading the ring's counters
 * after the copy detects overwritten slots.
 */
import { frm2SlotBytes } from '../frame/frm2-layout.ts';
import { type BrokerMemory, nextIdAt } from './broker-memory.ts';
import { nearest, readCounter } from './counter.ts';
import { reserveAt, sizeAt } from './ring-memory.ts';

/**
 * Every record with a smaller id is committed or will never exist. The next id is read first: a
 * writer that took a smaller id has announced it, and is visible here unless it has finished.
 */
export const takeWatermark = (memory: BrokerMemory): number => {
  const nextId = readCounter(memory.words, nextIdAt);
  let watermark = nextId;
  const writers = memory.writers;
  for (let writer = 0; writer < writers; writer++) {
    const low = Atomics.load(memory.words, memory.pendingOf(writer));
    if (low !== 0) watermark = Math.min(watermark, nearest(nextId, low));
  }
  return watermark;
};

export const copySlots = (
  ring: Uint8Array,
  firstSlot: number,
  count: number,
  target: Uint8Array,
): void => {
  const start = firstSlot * frm2SlotBytes;
  const length = count * frm2SlotBytes;
  const beforeEnd = Math.min(length, ring.length - start);
  target.set(ring.subarray(start, start + beforeEnd));
  if (beforeEnd < length) target.set(ring.subarray(0, length - beforeEnd), beforeEnd);
};

/** The ring has grown since the copy, which is therefore invalid. */
export const grown = -1;

/**
 * Returns the index of the first intact record after a copy, or `grown`. The size is read last:
 * if it changed earlier, the reserve counter would not belong to it.
 */
export const intactAfterCopy = (ring: Int32Array, size: number): number => {
  fence();
  const reserved = readCounter(ring, reserveAt);
  return Atomics.load(ring, sizeAt) === size ? Math.max(0, reserved - size) : grown;
};

const privateWord = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** An atomic store keeps the plain reads before it from moving past the atomic loads after it. */
const fence = (): void => {
  Atomics.store(privateWord, 0, 0);
};
