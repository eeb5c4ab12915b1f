/// <reference lib="es2024.sharedmemory" />
import type { Clock, Timer } from '../base/clock/clock.ts';
import type { BrokerMemory } from './broker-memory.ts';
import { ringBell } from './writer-steps.ts';

/** How a thread waits until a writer publishes. */
export interface Bell {
  /** Asks these writers, one bit each, to ring. Look for records once more before going to sleep. */
  arm(writers: number): void;
  /** Takes that back. */
  disarm(): void;
  /** Calls back once when it has been rung since `arm`; replaces whom it would have called before. */
  sleep(onRing: () => void): void;
}

/**
 * The bell of a reader thread, shared by all its cursors. The value of the word is read before writers
 * are asked, so a ring between that and going to sleep is not slept through.
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
    // One that still waits from before a disarm serves as well: if the bell has rung since, it is
    // about to end.
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const { value } = Atomics.waitAsync(this.#words, this.#bell, this.#received);
    void Promise.resolve(value).then(() => this.#wake());
  }

  /** Sleeps the whole thread, for threads that do nothing else. False if no writer rang in time. */
  block(timeoutMs = Number.POSITIVE_INFINITY): boolean {
    return Atomics.wait(this.#words, this.#bell, this.#received, timeoutMs) !== 'timed-out';
  }

  /** Wakes the thread from elsewhere, to have it look at something other than records. */
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

/** How long a thread sleeps before it looks for records again. */
const napMs = 2;

/**
 * A bell that no writer rings: its thread looks by itself, often enough. To ring takes locks that a
 * sleeping thread takes too, and a writer with real-time scheduling would wait for them as long as
 * ordinary work keeps the sleeper from giving them back. Here writers have nothing to do at all.
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
  /** Number of the thread among the readers. */
  readonly reader: number;
  readonly clock: Clock;
  /** Whether writers have real-time scheduling: to ring would hold them up. */
  readonly realtime: boolean;
}

/** The bell of a thread that reads what others write. */
export const readerBell = ({ memory, reader, clock, realtime }: ReaderThread): Bell =>
  realtime ? new PolledBell(clock) : new Doorbell(memory, reader);
