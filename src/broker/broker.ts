import { BusbarError } from '../base/errors/busbar-error.ts';
import { BrokerMemory, maxReaders, maxWriters } from './broker-memory.ts';
import {
  createRing,
  defaultRingSlots,
  type RingHandle,
  type RingOptions,
  renewRing,
  slotsOf,
} from './ring-memory.ts';
import { RingView } from './ring-view.ts';
import { retract, wakeSleepers } from './writer-steps.ts';

/**
 * The broker as its owner sees it, the bench thread: who may write and read, and which rings there
 * are. Other threads get `memory.buffer` and the handles of rings.
 */
export class Broker {
  readonly memory = new BrokerMemory();
  readonly #writers = new Set<number>();
  readonly #readers = new Set<number>();
  readonly #rings = new Map<number, RingHandle>();
  readonly #spare: SharedArrayBuffer[] = [];

  /** The rings of all open channels. */
  get rings(): readonly RingHandle[] {
    return [...this.#rings.values()];
  }

  /** A number for a thread that will publish. */
  claimWriter(): number {
    const writer = claim(this.#writers, maxWriters, 'writer threads');
    this.memory.admitWriters(writer + 1);
    return writer;
  }

  /** Takes a number back. Its thread must have ended, in whatever way. */
  releaseWriter(writer: number): void {
    this.recoverWriter(writer);
    this.#writers.delete(writer);
  }

  /** A number for a thread that will read. */
  claimReader(): number {
    return claim(this.#readers, maxReaders, 'reader threads');
  }

  releaseReader(reader: number): void {
    for (let writer = 0; writer < this.memory.writers; writer++) {
      Atomics.and(this.memory.words, this.memory.wakeMaskOf(writer), ~(1 << reader));
    }
    this.#readers.delete(reader);
  }

  /**
   * Cleans up after a writer thread that has died, perhaps within a record: merged readers no longer
   * wait for it, and those that sleep look again. Ids it had taken stay unused. To be called only once
   * the thread is certain to have ended; the next writer of its rings then goes on where it stopped.
   */
  recoverWriter(writer: number): void {
    retract(this.memory.words, this.memory.pendingOf(writer));
    wakeSleepers(this.memory, this.memory.wakeMaskOf(writer));
  }

  /** Hand the ring to readers before its writer begins, and they miss nothing. */
  openRing(options: RingOptions): RingHandle {
    if (this.#rings.has(options.channel)) {
      throw new BusbarError('internal_error', { message: 'The channel already has a ring' });
    }
    const ring = this.#ringFor(options);
    this.#rings.set(options.channel, ring);
    return ring;
  }

  /**
   * Forgets a ring whose writer has stopped. Cursors over all channels cannot know what went with it,
   * so they reach back no further.
   */
  closeRing(channel: number): void {
    const ring = this.#rings.get(channel);
    if (!ring) return;
    this.memory.raiseClosedFloor(new RingView(ring).newest());
    this.#rings.delete(channel);
  }

  /**
   * Takes back the memory of a closed ring once all threads have let go of it, for the next channel.
   * Shared memory does not press the garbage collector: left to it, it piles up.
   */
  recycleRing(ring: RingHandle): void {
    this.#spare.push(ring.buffer);
  }

  #ringFor(options: RingOptions): RingHandle {
    const { slots = defaultRingSlots } = options;
    const index = this.#spare.findIndex((buffer) => slotsOf(buffer) >= slots);
    const [buffer] = index < 0 ? [] : this.#spare.splice(index, 1);
    return buffer ? renewRing(buffer, options) : createRing(options);
  }
}

const claim = (taken: Set<number>, max: number, what: string): number => {
  for (let number = 0; number < max; number++) {
    if (taken.has(number)) continue;
    taken.add(number);
    return number;
  }
  throw new BusbarError('capacity_exceeded', {
    message: `At most ${max} ${what} can use the broker`,
    details: { limit: max },
  });
};
