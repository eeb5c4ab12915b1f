import { CallControl, type Remote } from '../../base/threads/rpc-port.ts';
import type { LiveCheckRequest } from '../../check/live/live-checks.ts';
import type { PackedReport } from '../../check/packed-report.ts';
import type { PlainCaller } from '../../operations/dispatcher.ts';
import type { Job, JobProgress } from '../../operations/job.ts';
import type { JobRunner } from './job-runner.ts';

export type LiveCheckRpc = {
  checkLive(
    request: LiveCheckRequest,
    caller: PlainCaller,
    control: CallControl,
  ): Promise<PackedReport>;
};

interface LiveCheckJobsOptions {
  readonly jobs: JobRunner;
  /** The thread that has the databases of the channels. */
  readonly client: () => Remote<LiveCheckRpc>;
}

const progressOf = (passed: number, seconds: number): JobProgress => ({
  percent: Math.floor((1000 * passed) / seconds) / 10,
  bytes: 0,
  total_bytes: 0,
  step: 1,
  steps: 1,
  name: `${Math.floor(passed)} of ${seconds} s`,
});

/** Jobs that check open channels for a time. */
export class LiveCheckJobs {
  readonly #options: LiveCheckJobsOptions;

  constructor(options: LiveCheckJobsOptions) {
    this.#options = options;
  }

  queue(request: LiveCheckRequest, caller: PlainCaller): Job {
    const { jobs, client } = this.#options;
    const { channels, seconds } = request;
    return jobs.submit(
      'check',
      channels?.join(', ') ?? 'all open channels',
      (signal, report) => {
        const control = new CallControl({
          signal,
          report: (passed) => report(progressOf(passed as number, seconds)),
        });
        return client().checkLive(request, caller, control);
      },
      'long',
    );
  }
}
