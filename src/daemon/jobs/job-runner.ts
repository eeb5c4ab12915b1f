import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { PackedReport } from '../../check/packed-report.ts';
import type { Job, JobProgress } from '../../operations/job.ts';

export type JobWork = (
  signal: AbortSignal,
  report: (progress: JobProgress) => void,
) => Promise<NonNullable<Job['result']> | PackedReport>;

/** Checks are short and never wait for long jobs, which have as many places of their own. */
const pools = ['short', 'long'] as const;
type Pool = (typeof pools)[number];

interface JobRunnerOptions {
  readonly clock: Clock;
  readonly newId?: () => string;
  readonly maxRunning?: number;
  readonly maxKept?: number;
  /** Receives internal errors of jobs; a job record only says that it failed. */
  readonly onDefect?: (thrown: unknown) => void;
}

interface QueuedWork {
  readonly pool: Pool;
  readonly id: string;
  readonly work: JobWork;
}

interface RunningWork {
  readonly pool: Pool;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

const countedIds = (): (() => string) => {
  let jobs = 0;
  return () => `job-${++jobs}`;
};

/** Runs a few jobs of each pool at a time in order, and retains a bounded list. */
export class JobRunner {
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #maxRunning: number;
  readonly #maxKept: number;
  readonly #onDefect: (thrown: unknown) => void;
  readonly #jobs = new Map<string, Job>();
  readonly #queue: QueuedWork[] = [];
  readonly #running = new Map<string, RunningWork>();
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
  submit(kind: string, target: string, work: JobWork, pool: Pool = 'short'): Job {
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
      progress: null,
      result: null,
      error: null,
    };
    this.#jobs.set(job.job_id, job);
    this.#queue.push({ id: job.job_id, work, pool });
    queueMicrotask(() => this.#startNext(pool));
    return job;
  }

  /** Reports of checks are omitted: a list of them would be too long for a response. */
  list(): readonly Job[] {
    return [...this.#jobs.values()]
      .reverse()
      .map((job) => (job.kind === 'check' ? { ...job, result: null } : job));
  }

  get(jobId: string): Job {
    const job = this.#jobs.get(jobId);
    if (!job) throw new BusbarError('job_not_found', { details: { job_id: jobId } });
    return job;
  }

  /** Cancels a job that has not ended. Resolves with its record when it has. */
  async cancel(jobId: string): Promise<Job> {
    const { state } = this.get(jobId);
    if (state === 'queued') {
      const place = this.#queue.findIndex(({ id }) => id === jobId);
      if (place >= 0) this.#queue.splice(place, 1);
      this.#end(jobId, {
        state: 'cancelled',
        error: new BusbarError('operation_cancelled').toRecord(),
      });
    }
    const running = this.#running.get(jobId);
    running?.controller.abort();
    await running?.ended;
    return this.get(jobId);
  }

  /** Drops queued jobs and aborts running ones. Resolves when the last one has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.length = 0;
    this.#jobs.clear();
    this.#ended.length = 0;
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort();
    await Promise.all(running.map(({ ended }) => ended));
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

  #startNext(pool: Pool): void {
    for (;;) {
      const active = [...this.#running.values()].filter((running) => running.pool === pool);
      if (active.length >= this.#maxRunning) return;
      const place = this.#queue.findIndex((queued) => queued.pool === pool);
      const [next] = place < 0 ? [] : this.#queue.splice(place, 1);
      if (!next) return;
      const controller = new AbortController();
      const ended = this.#run(next, controller.signal).finally(() => {
        this.#running.delete(next.id);
        this.#startNext(pool);
      });
      this.#running.set(next.id, { pool, controller, ended });
    }
  }

  async #run({ id, work }: QueuedWork, signal: AbortSignal): Promise<void> {
    this.#update(id, { state: 'running', started_at_us: this.#clock.unixUs() });
    try {
      const result = await work(signal, (progress) => this.#update(id, { progress }));
      // A packed report stays packed in this thread.
      this.#end(id, { state: 'succeeded', result: result as Job['result'] });
    } catch (thrown) {
      const isCancelled = signal.aborted && !this.#closed;
      this.#end(id, {
        state: isCancelled ? 'cancelled' : 'failed',
        error: BusbarError.from(thrown).toRecord(),
      });
      const defect = !signal.aborted && !(thrown instanceof BusbarError);
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
