import type { Clock, Timer } from '../base/clock/clock.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';

export interface BacklogWatchOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** What may have waited longer in the system is stale; Infinity for no limit. */
  readonly maxAgeUs: number;
}

const looksPerLimit = 4;
const periodBoundsUs = { least: 5000, most: 50_000 } as const;

/** Node reads no fewer of a socket whenever it polls, unless there are no more. */
const datagramsPerPoll = 32;

/**
 * Knows how long datagrams may have waited in the system before they are read, which they do not
 * tell themselves: no longer than since the socket was last found empty. It looks for that moment
 * every now and then. While the thread or the whole process stands still it cannot, and what is read
 * afterwards is stale if that took too long, until the socket is found empty again.
 */
export class BacklogWatch {
  readonly #clock: Clock;
  readonly #limitUs: number;
  readonly #lookTask: Task;
  readonly #pollTask: Task;
  #timer: Timer | undefined;
  #emptyUs: number;
  #isLooking = false;
  #lookedUs = 0;
  #readSinceLooked = 0;

  constructor({ clock, scheduler, maxAgeUs }: BacklogWatchOptions) {
    const { least, most } = periodBoundsUs;
    const periodUs = Math.min(Math.max(maxAgeUs / looksPerLimit, least), most);
    this.#clock = clock;
    // Below that, a thread that is merely between two looks would seem to stand still.
    this.#limitUs = Math.max(maxAgeUs, looksPerLimit * least);
    this.#emptyUs = clock.monotonicUs();
    this.#lookTask = scheduler.createTask('remote backlog', (nowUs) => {
      this.#look();
      return nowUs + periodUs;
    });
    this.#pollTask = scheduler.createTask('remote backlog poll', () => {
      this.#timer = clock.after(0, this.#endLook);
      return undefined;
    });
    if (Number.isFinite(maxAgeUs)) this.#lookTask.scheduleAt(this.#emptyUs + periodUs);
  }

  /** A datagram was read, from any sender. Answers whether it may have waited too long. */
  isStale(nowUs: number): boolean {
    this.#readSinceLooked++;
    if (nowUs - this.#emptyUs <= this.#limitUs) return false;
    this.#look();
    return true;
  }

  close(): void {
    this.#isLooking = true;
    this.#timer?.cancel();
    this.#lookTask.cancel();
    this.#pollTask.cancel();
  }

  /**
   * Timers run before the event loop polls its sockets, and the alarm of the scheduler is among
   * what it polls: from a timer by way of the alarm to another timer it has polled all of them.
   */
  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#timer = this.#clock.after(0, this.#beginLook);
  }

  readonly #beginLook = (): void => {
    this.#lookedUs = this.#clock.monotonicUs();
    this.#readSinceLooked = 0;
    this.#pollTask.scheduleAt(this.#lookedUs);
  };

  readonly #endLook = (): void => {
    if (this.#readSinceLooked >= datagramsPerPoll) {
      this.#beginLook();
      return;
    }
    this.#isLooking = false;
    // Not now: the process may have stood still since the socket was polled.
    this.#emptyUs = this.#lookedUs;
  };
}
