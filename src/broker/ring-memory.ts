/// <reference lib="es2024.sharedmemory" />
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { frm2SlotBytes } from '../frame/frm2-layout.ts';
import { startCounter } from './counter.ts';

export const defaultRingSlots = 32_768;
export const minRingSlots = 16;
/** Enough for the largest history. This reserves address space, not memory. */
export const maxRingSlots = 2 ** 21;

const line = 16;
export const reserveAt = 0;
export const headAt = line;
/** Number of slots: a power of two that only grows. */
export const sizeAt = 2 * line;
const floorsAt = (3 * line) / 2;
const sizeSteps = 32;
const slotsAt = (floorsAt + 2 * sizeSteps) * BigInt64Array.BYTES_PER_ELEMENT;

/** Everything that another thread needs to access a ring. Can be posted to a thread. */
export interface RingHandle {
  readonly channel: number;
  readonly writer: number;
  readonly buffer: SharedArrayBuffer;
}

/** Oldest record that a grown ring can reach. */
export interface RingFloor {
  readonly index: number;
  /** Event id of the record before it; 0 if none. */
  readonly eventId: number;
}

export interface RingOptions {
  readonly channel: number;
  readonly writer: number;
  readonly slots?: number;
}

/**
 * An eighth of the slots is never shown to clients. A writer may run this far ahead while a
 * reader copies the oldest record of the public window or the one before it.
 *
 * ```
 *    head − slots        oldest shown                          newest
 *         │◀── headroom ──▶│◀───────── public window ────────────▶│
 *  slots  [ r  r  r  r  r  r  r  r  r  r  r  r  r  r  r  r  r  r  r ]
 *           ▲                                                        head: the next record
 *           └── overwrites the oldest slot, at head mod slots
 * ```
 */
export const headroomOf = (slots: number): number => slots / 8;

export const publicLimitOf = (slots: number): number => slots - headroomOf(slots);

export const ringSlotsFor = (capacity: number): number => {
  let slots = defaultRingSlots;
  while (publicLimitOf(slots) < capacity) slots *= 2;
  return slots;
};

const bytesFor = (slots: number): number => slotsAt + slots * frm2SlotBytes;

export const createRing = ({
  channel,
  writer,
  slots = defaultRingSlots,
}: RingOptions): RingHandle => {
  checkSlots(slots);
  const buffer = allocate(slots);
  Atomics.store(wordsOf(buffer), sizeAt, slots);
  return { channel, writer, buffer };
};

/**
 * Turns the memory of a closed ring into a new ring of at least the same size. The ring must
 * have no readers.
 */
export const renewRing = (
  buffer: SharedArrayBuffer,
  { channel, writer }: RingOptions,
): RingHandle => {
  const words = wordsOf(buffer);
  startCounter(words, headAt, 0);
  startCounter(words, reserveAt, 0);
  writeFloor(buffer, Atomics.load(words, sizeAt), { index: 0, eventId: 0 });
  return { channel, writer, buffer };
};

export const slotsOf = (buffer: SharedArrayBuffer): number => Atomics.load(wordsOf(buffer), sizeAt);

const allocate = (slots: number): SharedArrayBuffer => {
  try {
    return new SharedArrayBuffer(bytesFor(slots), { maxByteLength: bytesFor(maxRingSlots) });
  } catch (cause) {
    throw new BusbarError('capacity_exceeded', {
      message: 'Not enough memory for another channel',
      cause,
    });
  }
};

export const checkSlots = (slots: number): void => {
  const isPowerOfTwo = Number.isInteger(Math.log2(slots));
  if (isPowerOfTwo && slots >= minRingSlots && slots <= maxRingSlots) return;
  throw invalidArgument(
    'slots',
    `A ring has a power of two of slots, from ${minRingSlots} to ${maxRingSlots}`,
  );
};

/** Adds slots. Existing views do not see them. */
export const extendBuffer = (buffer: SharedArrayBuffer, slots: number): void => {
  if (buffer.byteLength < bytesFor(slots)) buffer.grow(bytesFor(slots));
};

export const wordsOf = (buffer: SharedArrayBuffer): Int32Array =>
  new Int32Array(buffer, 0, slotsAt / Int32Array.BYTES_PER_ELEMENT);

export const slotBytesOf = (buffer: SharedArrayBuffer, slots: number): Uint8Array =>
  new Uint8Array(buffer, slotsAt, slots * frm2SlotBytes);

export const slotViewOf = (buffer: SharedArrayBuffer, slots: number): DataView =>
  new DataView(buffer, slotsAt, slots * frm2SlotBytes);

/**
 * Each size has its own floor. It is written before the size takes effect and never changes, so
 * a reader that sees a size sees its complete floor.
 */
export const readFloor = (buffer: SharedArrayBuffer, slots: number): RingFloor => {
  const floors = new BigInt64Array(buffer, 0, slotsAt / BigInt64Array.BYTES_PER_ELEMENT);
  const at = floorsAt + 2 * Math.log2(slots);
  return { index: Number(Atomics.load(floors, at)), eventId: Number(Atomics.load(floors, at + 1)) };
};

export const writeFloor = (buffer: SharedArrayBuffer, slots: number, floor: RingFloor): void => {
  const floors = new BigInt64Array(buffer, 0, slotsAt / BigInt64Array.BYTES_PER_ELEMENT);
  const at = floorsAt + 2 * Math.log2(slots);
  Atomics.store(floors, at, BigInt(floor.index));
  Atomics.store(floors, at + 1, BigInt(floor.eventId));
};
