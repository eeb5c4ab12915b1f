/**
 * Steps of publishing, in order:
 *
 * 1. `reserveSlots`: from now on, readers treat the slots as overwritten.
 * 2. `announce`: sets a lower bound of the next ids. Merged readers deliver nothing above it.
 * 3. `takeIds`: also keeps the writes of step 4 after step 1.
 * 4. plain writes of the records
 * 5. `commitSlots`: makes the records visible.
 * 6. `retract`
 * 7. `wakeSleepers`
 */
import { type BrokerMemory, nextIdAt } from './broker-memory.ts';
import { advanceCounter } from './counter.ts';
import { headAt, reserveAt } from './ring-memory.ts';

const idle = 0;

export const reserveSlots = (ring: Int32Array, count: number): void => {
  advanceCounter(ring, reserveAt, count);
};

export const announce = (control: Int32Array, pending: number): void => {
  const low = Atomics.load(control, nextIdAt);
  // Once in 2^32 ids the low half equals `idle`; a bound one lower is valid too.
  Atomics.store(control, pending, low === idle ? -1 : low);
};

export const takeIds = (control: Int32Array, count: number): number =>
  advanceCounter(control, nextIdAt, count);

export const commitSlots = (ring: Int32Array, count: number): void => {
  advanceCounter(ring, headAt, count);
};

export const retract = (control: Int32Array, pending: number): void => {
  Atomics.store(control, pending, idle);
};

export const wakeSleepers = (memory: BrokerMemory, wakeMask: number): void => {
  if (Atomics.load(memory.words, wakeMask) === 0) return;
  let sleepers = Atomics.exchange(memory.words, wakeMask, 0);
  while (sleepers !== 0) {
    const reader = 31 - Math.clz32(sleepers);
    sleepers &= ~(1 << reader);
    ringBell(memory, reader);
  }
};

export const ringBell = (memory: BrokerMemory, reader: number): void => {
  const bell = memory.bellOf(reader);
  Atomics.add(memory.words, bell, 1);
  Atomics.notify(memory.words, bell);
};
