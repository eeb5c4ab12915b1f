import type { Clock, Timer } from '../../base/clock/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';

export interface ThreadStartOptions {
  readonly clock: Clock;
  /** Whether the thread has done anything since this was asked before. */
  readonly hasWorked: () => boolean;
  /** Told what the start is at, in words that go on from "it". */
  readonly onStage: (stage: string) => void;
}

const lookMs = 1000;
/** Looks in a row without a sign of life; counted, since a machine that sleeps takes no looks. */
const silentLooks = 60;

export const startFailed = (why: string): BusbarError =>
  new BusbarError('daemon_start_failed', { message: `The daemon could not be started: ${why}` });

/**
 * The start of a thread, which takes as long as it takes: a slow machine is no reason to give up.
 * It has failed when the thread says so or ends, or when it has done nothing at all for a long time.
 */
export class ThreadStart {
  readonly #options: ThreadStartOptions;
  readonly #ready = new Deferred<void>();
  #stage = '';
  #silent = 0;
  #isOver = false;
  #timer: Timer | undefined;

  constructor(options: ThreadStartOptions) {
    this.#options = options;
    // It may fail before it is waited for.
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves once the thread is ready, rejects with why it never will be. */
  wait(): Promise<void> {
    this.#look();
    return this.#ready.promise.finally(() => this.#timer?.cancel());
  }

  /** The thread has come so far. */
  reach(stage: string): void {
    // A thread that is started anew later on has no starter that waits for it.
    if (this.#isOver) return;
    this.#stage = stage;
    this.#silent = 0;
    this.#options.onStage(stage);
  }

  succeed(): void {
    this.#isOver = true;
    this.#ready.resolve();
  }

  fail(error: BusbarError): void {
    this.#isOver = true;
    this.#ready.reject(error);
  }

  #look(): void {
    this.#timer = this.#options.clock.after(lookMs, () => {
      this.#silent = this.#options.hasWorked() ? 0 : this.#silent + 1;
      if (this.#silent < silentLooks) this.#look();
      else this.fail(startFailed(`nothing happens any more while it ${this.#stage}`));
    });
  }
}
