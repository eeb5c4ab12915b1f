import type { Clock, Timer } from '../../base/clock/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { BusbarError, type ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { SupervisedThread, ThreadReport } from './supervisor.ts';

export type StartRpc = {
  clientStage(stage: string): void;
  clientReady(): void;
  clientFailed(error: ErrorRecord): void;
};

/** Also delivered to a bench thread that answers late. */
export const lateStartCalls = [
  'clientStage',
  'clientReady',
] as const satisfies readonly (keyof StartRpc)[];

export interface ThreadStartOptions {
  readonly thread: SupervisedThread;
  readonly clock: Clock;
  readonly hasWorked: () => boolean;
  readonly onStage: (stage: string) => void;
}

const lookMs = 1000;
/** Checks without activity. They are counted, so a suspended machine does not matter. */
const silentLooks = 60;

const startFailed = (why: string): BusbarError =>
  new BusbarError('daemon_start_failed', { message: `The daemon could not be started: ${why}` });

/**
 * Startup of a thread, without a time limit. Fails if the thread reports it, ends, or does
 * nothing for a long time.
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
    // It may fail before it is awaited.
    this.#ready.promise.catch(() => undefined);
  }

  wait(): Promise<void> {
    this.#look();
    return this.#ready.promise.finally(() => this.#timer?.cancel());
  }

  reach(stage: string): void {
    // Nothing waits for the startup of a restarted thread.
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

  died({ name, last_failure }: Pick<ThreadReport, 'name' | 'last_failure'>): void {
    if (name === this.#options.thread) {
      this.fail(startFailed(`its ${name} thread crashed: ${last_failure}`));
    }
  }

  get offer(): StartRpc {
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
      else this.fail(startFailed(`no progress while ${this.#stage}`));
    });
  }
}
