/// <reference lib="es2024.sharedmemory" />
import type { Clock, Timer } from '../base/clock/clock.ts';
import type { BrokerMemory } from './broker-memory.ts';
import { ringBell } from './writer-steps.ts';

/** Lets a thread sleep until a writer publishes. */
export interface Bell {
  /** Requests a ring from these writers, one bit each. Check for records again before sleeping. */
  arm(writers: number): void;
  disarm(): void;
  /** Calls back once after the first ring since `arm`. Replaces an earlier callback. */
  sleep(onRing: () => void): void;
}

/**
 * Bell of a reader thread, shared by all its cursors. `arm` reads the word before it sets the
 * masks, so no ring is missed.
 */
export class Doorbell implements Bell {
  readonly #memory: BrokerMemory;
  readonly #words: Int32Array;
  readonly #bell: number;
  readonly #reader: number;
  #armed = 0;
  #received = 0;
  #onRing: (() => void) | undefined;
  #isWaiting = false;

  constructor(memory: BrokerMemory, reader: number) {
    this.#memory = memory;
    this.#words = memory.words;
    this.#bell = memory.bellOf(reader);
    this.#reader = reader;
  }

  arm(writers: number): void {
    this.#received = Atomics.load(this.#words, this.#bell);
    this.#armed = writers;
    this.#forArmed((wakeMask) => Atomics.or(this.#words, wakeMask, 1 << this.#reader));
  }

  disarm(): void {
    this.#onRing = undefined;
    this.#forArmed((wakeMask) => Atomics.and(this.#words, wakeMask, ~(1 << this.#reader)));
    this.#armed = 0;
  }

  sleep(onRing: () => void): void {
    this.#onRing = onRing;
    // A wait that began before a disarm still works: if the bell has rung since, it is about to
    // return.
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const { value } = Atomics.waitAsync(this.#words, this.#bell, this.#received);
    void Promise.resolve(value).then(() => this.#wake());
  }

  /** Blocks the thread. Returns false on timeout. */
  block(timeoutMs = Number.POSITIVE_INFINITY): boolean {
    return Atomics.wait(this.#words, this.#bell, this.#received, timeoutMs) !== 'timed-out';
  }

  ring(): void {
    ringBell(this.#memory, this.#reader);
  }

  #wake(): void {
    this.#isWaiting = false;
    const onRing = this.#onRing;
    this.#onRing = undefined;
    onRing?.();
  }

  #forArmed(act: (wakeMask: number) => void): void {
    for (let writers = this.#armed; writers !== 0; writers &= writers - 1) {
      act(this.#memory.wakeMaskOf(31 - Math.clz32(writers & -writers)));
    }
  }
}

const napMs = 2;

/**
 * A bell that polls. Ringing needs locks that a sleeping thread also needs, so a real-time
 * writer could wait for ordinary threads. With this bell, writers do nothing.
 */
export class PolledBell implements Bell {
  readonly #clock: Clock;
  #nap: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  arm(): void {}

  disarm(): void {
    this.#nap?.cancel();
    this.#nap = undefined;
  }

  sleep(onRing: () => void): void {
    this.#nap?.cancel();
    this.#nap = this.#clock.after(napMs, () => {
      this.#nap = undefined;
      onRing();
    });
  }
}

interface ReaderThread {
  readonly memory: BrokerMemory;
  readonly reader: number;
  readonly clock: Clock;
  /** Writers have real-time priority, so ringing could block them. */
  readonly realtime: boolean;
}

export const readerBell = ({ memory, reader, clock, realtime }: ReaderThread): Bell =>
  realtime ? new PolledBell(clock) : new Doorbell(memory, reader);
