import { BusbarError } from '../base/errors/busbar-error.ts';
import type { BrokerMemory } from './broker-memory.ts';
import { announce, retract, takeIds, wakeSleepers } from './writer-steps.ts';

/**
 * A writer thread's entry in the broker. Its rings share one pending word, so only one ring is
 * written at a time.
 */
export class Publisher {
  readonly writer: number;
  readonly #memory: BrokerMemory;
  readonly #control: Int32Array;
  readonly #pending: number;
  readonly #wakeMask: number;
  #writing = false;

  constructor(memory: BrokerMemory, writer: number) {
    this.writer = writer;
    this.#memory = memory;
    this.#control = memory.words;
    this.#pending = memory.pendingOf(writer);
    this.#wakeMask = memory.wakeMaskOf(writer);
    if (Atomics.load(this.#control, this.#pending) !== 0) {
      throw misuse('The writer before this one was not recovered');
    }
  }

  /** Claims the thread for one ring. Fails while one of its rings has an open record. */
  begin(): void {
    if (this.#writing) throw misuse('A record is still open');
    this.#writing = true;
  }

  takeIds(count: number): number {
    announce(this.#control, this.#pending);
    return takeIds(this.#control, count);
  }

  end(): void {
    this.#writing = false;
    retract(this.#control, this.#pending);
    wakeSleepers(this.#memory, this.#wakeMask);
  }
}

const misuse = (message: string): BusbarError => new BusbarError('internal_error', { message });
