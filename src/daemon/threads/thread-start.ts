import type { Clock, Timer } from '../../base/clock/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError, type ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { SupervisedThread, ThreadReport } from './supervisor.ts';

/** What the client thread tells of its start. */
export type StartOffer = {
  /** What the start of the client thread is at, in words that go on from "it". */
  clientStage(stage: string): void;
  /** The client thread serves callers from now on. */
  clientReady(): void;
  /** The client thread cannot serve callers. */
  clientFailed(error: ErrorRecord): void;
};

/** Heard of also by a bench thread that answers late. */
export const lateStartCalls = [
  'clientStage',
  'clientReady',
] as const satisfies readonly (keyof StartOffer)[];

export interface ThreadStartOptions {
  /** The thread that is started. */
  readonly thread: SupervisedThread;
  readonly clock: Clock;
  /** Whether the thread has done anything since this was asked before. */
  readonly hasWorked: () => boolean;
  /** Told what the start is at, in words that go on from "it". */
  readonly onStage: (stage: string) => void;
}

const lookMs = 1000;
/** Looks in a row without a sign of life; counted, since a machine that sleeps takes no looks. */
const silentLooks = 60;

const startFailed = (why: string): BusbarError =>
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

  /** A thread has died. Without this one no caller can be served, and a daemon that never was ready had better not be. */
  died({ name, last_failure }: Pick<ThreadReport, 'name' | 'last_failure'>): void {
    if (name === this.#options.thread) {
      this.fail(startFailed(`its ${name} thread died: ${last_failure}`));
    }
  }

  /** What the thread tells of its start. */
  get offer(): StartOffer {
    return {
      clientStage: (stage) => this.reach(stage),
      clientReady: () => this.succeed(),
      clientFailed: (error) => this.fail(BusbarError.fromRecord(error)),
    };
  }

  #look(): void {
    this.#timer = this.#options.clock.after(lookMs, () => {
      this.#silent = this.#options.hasWorked() ? 0 : this.#silent + 1;
      if (this.#silent < silentLooks) this.#look();
      else this.fail(startFailed(`nothing happens any more while it ${this.#stage}`));
    });
  }
}
