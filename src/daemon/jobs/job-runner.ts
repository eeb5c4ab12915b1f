import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Job } from '../../operations/job.ts';

/** The work of a job. Time limits are its own business; it should end soon after the signal fires. */
export type JobWork = (signal: AbortSignal) => Promise<NonNullable<Job['result']>>;

interface JobRunnerOptions {
  readonly clock: Clock;
  /** Left out: `job-1`, `job-2` and so on. */
  readonly newId?: () => string;
  /** How many jobs run at once. */
  readonly maxRunning?: number;
  /** How many jobs are kept, finished ones included. */
  readonly maxKept?: number;
  /**
   * Told of what a job threw that was no BusbarError, because its record says only that it failed.
   * Must not throw.
   */
  readonly onDefect?: (thrown: unknown) => void;
}

interface QueuedWork {
  readonly id: string;
  readonly work: JobWork;
}

const countedIds = (): (() => string) => {
  let jobs = 0;
  return () => `job-${++jobs}`;
};

/** Runs jobs in the order they came, a few at a time, and keeps a bounded memory of them. */
export class JobRunner {
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #maxRunning: number;
  readonly #maxKept: number;
  readonly #onDefect: (thrown: unknown) => void;
  /** Every kept job, the oldest first. */
  readonly #jobs = new Map<string, Job>();
  readonly #queue: QueuedWork[] = [];
  readonly #running = new Map<AbortController, Promise<void>>();
  /** Ids of ended jobs in the order they ended: the first is forgotten first. */
  readonly #ended: string[] = [];
  #closed = false;

  constructor(options: JobRunnerOptions) {
    this.#clock = options.clock;
    this.#newId = options.newId ?? countedIds();
    this.#maxRunning = options.maxRunning ?? 4;
    this.#maxKept = options.maxKept ?? 64;
    this.#onDefect = options.onDefect ?? (() => {});
  }

  /**
   * Queues the work and answers its record, which always says `queued`: nothing starts before the
   * caller has it. Throws `capacity_exceeded` when every kept job is still unfinished.
   */
  submit(kind: string, target: string, work: JobWork): Job {
    if (this.#closed) {
      throw new BusbarError('internal_error', { message: 'The job runner is closed' });
    }
    this.#makeRoom();
    const job: Job = {
      job_id: this.#newId(),
      kind,
      target,
      state: 'queued',
      created_at_us: this.#clock.unixUs(),
      started_at_us: null,
      finished_at_us: null,
      result: null,
      error: null,
    };
    this.#jobs.set(job.job_id, job);
    this.#queue.push({ id: job.job_id, work });
    queueMicrotask(() => this.#startNext());
    return job;
  }

  /** Every kept job, the newest first. */
  list(): readonly Job[] {
    return [...this.#jobs.values()].reverse();
  }

  get(jobId: string): Job {
    const job = this.#jobs.get(jobId);
    if (!job) throw new BusbarError('job_not_found', { details: { job_id: jobId } });
    return job;
  }

  /**
   * Forgets every job: queued ones never start, running ones are told to stop and their outcome is
   * discarded. Resolves when the last of them has let go.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.length = 0;
    this.#jobs.clear();
    this.#ended.length = 0;
    for (const controller of this.#running.keys()) controller.abort();
    await Promise.all(this.#running.values());
  }

  #makeRoom(): void {
    if (this.#jobs.size < this.#maxKept) return;
    const forgotten = this.#ended.shift();
    if (forgotten === undefined) {
      throw new BusbarError('capacity_exceeded', {
        message: `All ${this.#maxKept} jobs that can be kept are unfinished`,
        details: { limit: this.#maxKept },
      });
    }
    this.#jobs.delete(forgotten);
  }

  #startNext(): void {
    while (this.#running.size < this.#maxRunning) {
      const next = this.#queue.shift();
      if (!next) return;
      const controller = new AbortController();
      const run = this.#run(next, controller.signal).finally(() => {
        this.#running.delete(controller);
        this.#startNext();
      });
      this.#running.set(controller, run);
    }
  }

  async #run({ id, work }: QueuedWork, signal: AbortSignal): Promise<void> {
    this.#update(id, { state: 'running', started_at_us: this.#clock.unixUs() });
    try {
      this.#end(id, { state: 'succeeded', result: await work(signal) });
    } catch (thrown) {
      this.#end(id, { state: 'failed', error: BusbarError.from(thrown).toRecord() });
      const defect = !this.#closed && !(thrown instanceof BusbarError);
      if (defect) this.#onDefect(thrown);
    }
  }

  #end(id: string, outcome: Partial<Job>): void {
    this.#update(id, { ...outcome, finished_at_us: this.#clock.unixUs() });
    this.#ended.push(id);
  }

  /** Closing forgets jobs that still run: what becomes of them has no record to go to. */
  #update(id: string, change: Partial<Job>): void {
    const job = this.#jobs.get(id);
    if (job) this.#jobs.set(id, { ...job, ...change });
  }
}
