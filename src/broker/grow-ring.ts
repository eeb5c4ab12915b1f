import { frm2EventId } from '../frame/frm2-codec.ts';
import { frm2SlotBytes } from '../frame/frm2-layout.ts';
import { readCounter } from './counter.ts';
import {
  checkSlots,
  extendBuffer,
  headAt,
  type RingFloor,
  readFloor,
  reserveAt,
  sizeAt,
  slotBytesOf,
  slotViewOf,
  wordsOf,
  writeFloor,
} from './ring-memory.ts';

/**
 * Makes a ring larger where it lies, between two records and in its writer's thread. Counters go on;
 * readers need not be told.
 *
 * The new size is a multiple of the old one, so the new place of a record is either its old place or
 * a slot that did not exist. Hence nothing that a reader may be copying is overwritten: until the new
 * size is stored the old places hold, and afterwards a reader that still used the old size sees that
 * it changed and copies again. A writer killed before that store has changed nothing.
 */
export const growRing = (buffer: SharedArrayBuffer, slots: number): void => {
  checkSlots(slots);
  const words = wordsOf(buffer);
  const size = Atomics.load(words, sizeAt);
  const intactFrom = readCounter(words, reserveAt) - size;
  const floor = readFloor(buffer, size);
  extendBuffer(buffer, slots);
  const oldest = Math.max(intactFrom, floor.index);
  relocate(slotBytesOf(buffer, slots), size, slots, oldest, readCounter(words, headAt));
  writeFloor(buffer, slots, floorAfter(buffer, size, intactFrom, floor));
  Atomics.store(words, sizeAt, slots);
};

const relocate = (
  bytes: Uint8Array,
  size: number,
  slots: number,
  from: number,
  to: number,
): void => {
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / size) + 1) * size);
    const source = (start % size) * frm2SlotBytes;
    const target = (start % slots) * frm2SlotBytes;
    if (target !== source) {
      bytes.copyWithin(target, source, source + (end - start) * frm2SlotBytes);
    }
    start = end;
  }
};

/**
 * The larger window reaches back to records that are gone, and what clients are told to have lost is
 * the newest id among those. It has been overwritten, so the oldest record left is given up for its id.
 */
const floorAfter = (
  buffer: SharedArrayBuffer,
  size: number,
  intactFrom: number,
  before: RingFloor,
): RingFloor => {
  if (intactFrom <= before.index) return before;
  const oldest = (intactFrom % size) * frm2SlotBytes;
  return { index: intactFrom + 1, eventId: frm2EventId(slotViewOf(buffer, size), oldest) };
};
