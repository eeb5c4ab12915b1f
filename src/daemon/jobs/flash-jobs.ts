import type { BenchSource } from '../../bench/channel-table.ts';
import type { FlashRequest, FlashRuns } from '../../diagnostics/service/flash-run.ts';
import type { Job } from '../../operations/job.ts';
import type { JobRunner } from './job-runner.ts';

const percentOf = (bytes: number, total: number): number =>
  total === 0 ? 0 : Math.floor((1000 * bytes) / total) / 10;

/** Jobs that flash ECUs. */
export class FlashJobs {
  readonly #jobs: JobRunner;
  readonly #runs: FlashRuns;

  constructor(jobs: JobRunner, runs: FlashRuns) {
    this.#jobs = jobs;
    this.#runs = runs;
  }

  /** Rejects an ECU that cannot be reached; the job reports what is wrong with files. */
  async queue(request: FlashRequest, bench: BenchSource): Promise<Job> {
    await this.#runs.prepare(request, bench);
    const { ecu } = request;
    return this.#jobs.submit(
      'flash',
      ecu,
      (signal, report) =>
        this.#runs.run(request, bench, signal, ({ bytes, totalBytes, step, steps, name }) =>
          report({
            percent: percentOf(bytes, totalBytes),
            bytes,
            total_bytes: totalBytes,
            step,
            steps,
            name,
          }),
        ),
      'long',
    );
  }
}
