import type { Clock, Timer } from '../base/clock/clock.ts';
import type { Bell } from './doorbell.ts';

/** How long records are collected between two passes under load. */
const holdMs = 1;

export interface DeliveryLoopOptions {
  readonly clock: Clock;
  readonly bell: Bell;
  /** The writers whose records any sink is ready for, one bit each. */
  readonly writers: () => number;
  /** One pass over all cursors; whether it delivered something or left something behind. */
  readonly pass: () => boolean;
}

/**
 * When a reader thread looks for records: at once when it is woken, then every millisecond until a
 * pass finds nothing, then it sleeps. The first frame is delivered at once, and under load a writer
 * rings the bell once for a great many frames.
 */
export class DeliveryLoop {
  readonly #clock: Clock;
  readonly #bell: Bell;
  readonly #writers: () => number;
  readonly #pass: () => boolean;
  #hold: Timer | undefined;
  #isAsleep = false;
  #isRunning = false;

  constructor({ clock, bell, writers, pass }: DeliveryLoopOptions) {
    this.#clock = clock;
    this.#bell = bell;
    this.#writers = writers;
    this.#pass = pass;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#look();
  }

  stop(): void {
    this.#isRunning = false;
    this.#hold?.cancel();
    this.#hold = undefined;
    this.#schedule();
  }

  /** Looks now if it sleeps: a cursor was added, or a client takes records again. */
  wake(): void {
    if (!this.#isAsleep) return;
    this.#schedule();
    this.#look();
  }

  #look(): void {
    if (this.#pass()) this.#holdOn();
    else this.#sleep();
  }

  #holdOn(): void {
    if (!this.#isRunning) return;
    this.#hold = this.#clock.after(holdMs, () => {
      this.#hold = undefined;
      this.#look();
    });
  }

  #sleep(): void {
    if (!this.#isRunning) return;
    this.#bell.arm(this.#writers());
    // What came between the pass and arming would be slept through.
    const hasMore = this.#pass();
    if (hasMore || !this.#isRunning) {
      this.#bell.disarm();
      this.#holdOn();
      return;
    }
    this.#isAsleep = true;
    this.#bell.sleep(() => {
      this.#schedule();
      this.#look();
    });
  }

  #schedule(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.#bell.disarm();
  }
}
