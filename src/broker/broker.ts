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

/** The bench thread's view of the broker. Other threads get `memory.buffer` and ring handles. */
export class Broker {
  readonly memory = new BrokerMemory();
  readonly #writers = new Set<number>();
  readonly #readers = new Set<number>();
  readonly #rings = new Map<number, RingHandle>();
  readonly #spare: SharedArrayBuffer[] = [];

  get rings(): readonly RingHandle[] {
    return [...this.#rings.values()];
  }

  claimWriter(): number {
    const writer = claim(this.#writers, maxWriters, 'writer threads');
    this.memory.admitWriters(writer + 1);
    return writer;
  }

  releaseWriter(writer: number): void {
    this.recoverWriter(writer);
    this.#writers.delete(writer);
  }

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
   * Cleans up after a writer thread that died, possibly inside a record. Call it only after the
   * thread has exited. Merged readers stop waiting for it, and sleeping readers check again.
   * Its reserved ids stay unused; the next writer continues its rings.
   */
  recoverWriter(writer: number): void {
    retract(this.memory.words, this.memory.pendingOf(writer));
    wakeSleepers(this.memory, this.memory.wakeMaskOf(writer));
  }

  /** Pass the ring to readers before its writer starts so that they miss no record. */
  openRing(options: RingOptions): RingHandle {
    if (this.#rings.has(options.channel)) {
      throw new BusbarError('internal_error', { message: 'The channel already has a ring' });
    }
    const ring = this.#ringFor(options);
    this.#rings.set(options.channel, ring);
    return ring;
  }

  /**
   * Removes a ring whose writer has stopped. Cursors over all channels treat every event up to
   * the ring's newest as lost.
   */
  closeRing(channel: number): void {
    const ring = this.#rings.get(channel);
    if (!ring) return;
    this.memory.raiseClosedFloor(new RingView(ring).newest());
    this.#rings.delete(channel);
  }

  /**
   * Reuses a closed ring's memory after all threads have released it. Shared memory puts no
   * pressure on the garbage collector, so unused rings would accumulate.
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
