import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Job } from '../../operations/job.ts';

export type JobWork = (signal: AbortSignal) => Promise<NonNullable<Job['result']>>;

interface JobRunnerOptions {
  readonly clock: Clock;
  readonly newId?: () => string;
  readonly maxRunning?: number;
  readonly maxKept?: number;
  /** Receives internal errors of jobs; a job record only says that it failed. */
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

/** Runs a few jobs at a time in order, and retains a bounded list. */
export class JobRunner {
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #maxRunning: number;
  readonly #maxKept: number;
  readonly #onDefect: (thrown: unknown) => void;
  readonly #jobs = new Map<string, Job>();
  readonly #queue: QueuedWork[] = [];
  readonly #running = new Map<AbortController, Promise<void>>();
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
   * Queues the work and returns its record in state `queued`. Throws `capacity_exceeded` if all
   * retained jobs are unfinished.
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

  list(): readonly Job[] {
    return [...this.#jobs.values()].reverse();
  }

  get(jobId: string): Job {
    const job = this.#jobs.get(jobId);
    if (!job) throw new BusbarError('job_not_found', { details: { job_id: jobId } });
    return job;
  }

  /** Drops queued jobs and aborts running ones. Resolves when the last one has ended. */
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
        message: `All ${this.#maxKept} job entries are in use by unfinished jobs`,
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

  #update(id: string, change: Partial<Job>): void {
    const job = this.#jobs.get(id);
    if (job) this.#jobs.set(id, { ...job, ...change });
  }
}
