import type { Static } from 'typebox';
import type { Clock, Timer } from '../../base/clock/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { failureText, type Thread } from '../../base/threads/thread.ts';
import type { ThreadHealth } from '../../operations/health.ts';

export type SupervisedThread = ThreadReport['name'];
/** A recorder lives while logging, a builder for one project. */
export type ThreadName = SupervisedThread | 'recorder' | 'builder' | 'decoder';

export type ThreadReport = Static<typeof ThreadHealth>;

interface ThreadSettings {
  readonly start: () => Thread;
  readonly onGone?: () => void;
}

interface SupervisorOptions {
  readonly clock: Clock;
  readonly onDeath: (report: ThreadReport) => void;
}

const maxRestartMs = 5000;
const firstRestartMs = 50;
const settledAfterUs = 30_000_000;

/**
 * Thread state, as health reports it:
 *
 * ```
 *             online
 *  starting ──────────▶ running
 *     │                 │    ▲
 *     │ ended     ended │    │ online
 *     │                 ▼    │
 *     └─────────────▶ restarting ◀─┐
 *                       └── ended ─┘
 *
 *  stop: from every state to stopped
 * ```
 *
 * A thread counts as settled when it has left `starting`.
 */
class SupervisedWorker {
  readonly #name: SupervisedThread;
  readonly #plan: ThreadSettings;
  readonly #options: SupervisorOptions;
  #thread: Thread | undefined;
  #timer: Timer | undefined;
  #state: ThreadReport['state'] = 'starting';
  #restarts = 0;
  #quickDeaths = 0;
  #startedUs = 0;
  #lastFailure: string | null = null;
  readonly #settled = new Deferred<void>();

  constructor(name: SupervisedThread, plan: ThreadSettings, options: SupervisorOptions) {
    this.#name = name;
    this.#plan = plan;
    this.#options = options;
    this.#start();
  }

  get report(): ThreadReport {
    return {
      name: this.#name,
      state: this.#state,
      restarts: this.#restarts,
      last_failure: this.#lastFailure,
    };
  }

  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#timer?.cancel();
    await this.#thread?.terminate();
  }

  #start(): void {
    this.#startedUs = this.#options.clock.monotonicUs();
    const thread = this.#plan.start();
    this.#thread = thread;
    let failure: string | null = null;
    thread.on('online', () => {
      if (this.#state !== 'stopped') this.#state = 'running';
      this.#settled.resolve();
    });
    thread.on('error', (error) => {
      failure = failureText(error);
    });
    thread.on('exit', (code) => {
      this.#thread = undefined;
      this.#plan.onGone?.();
      if (this.#state !== 'stopped') this.#revive(failure ?? `exited with code ${code}`);
      this.#settled.resolve();
    });
  }

  #revive(failure: string): void {
    const livedUs = this.#options.clock.monotonicUs() - this.#startedUs;
    this.#quickDeaths = livedUs > settledAfterUs ? 0 : this.#quickDeaths + 1;
    this.#lastFailure = failure;
    this.#state = 'restarting';
    this.#restarts += 1;
    this.#options.onDeath(this.report);
    const delay = Math.min(firstRestartMs * 2 ** (this.#quickDeaths - 1), maxRestartMs);
    this.#timer = this.#options.clock.after(delay, () => this.#start());
  }
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #threads: SupervisedWorker[] = [];

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  add(name: SupervisedThread, plan: ThreadSettings): void {
    this.#threads.push(new SupervisedWorker(name, plan, this.#options));
  }

  get reports(): readonly ThreadReport[] {
    return this.#threads.map(({ report }) => report);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.settled));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}
