import { pause } from '../base/clock/pause.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Job, JobProgress } from '../operations/job.ts';
import type { CliContext } from './context.ts';
import { noLink } from './daemon-commands.ts';
import { openLink } from './daemon-link.ts';
import { onInterruption } from './interruption.ts';
import { terminalBar } from './terminal-bar.ts';

/** Interval of status requests. */
const pollMs = 100;

export interface JobCall {
  /** The operation that starts the job, with its arguments. */
  readonly operation: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** What the progress bar shows. */
  readonly progressOf: (progress: JobProgress) => readonly [done: number, total: number];
}

const succeeded = (job: Job): Job => {
  if (job.state === 'succeeded') return job;
  const { error } = job;
  throw error === null ? new BusbarError('operation_cancelled') : BusbarError.fromRecord(error);
};

/**
 * Starts a job of the daemon and returns it when it has succeeded. An interruption cancels it. If
 * the command is killed, the job continues.
 */
export const followJob = async (
  { operation, request, progressOf }: JobCall,
  context: CliContext,
): Promise<Job> => {
  const { clock, home, project } = context;
  const link = await openLink(home, clock);
  if (!link) throw noLink(context);
  const interruption = new AbortController();
  const forget = onInterruption(() => interruption.abort());
  const bar = terminalBar(context);
  try {
    let job = (await link.call(operation, request, project)) as Job;
    const { job_id } = job;
    while (job.finished_at_us === null) {
      await pause(clock, pollMs, interruption.signal).catch(() => undefined);
      const next = interruption.signal.aborted ? 'job.cancel' : 'job.show';
      job = (await link.call(next, { job_id }, project)) as Job;
      if (job.progress) bar?.show(...progressOf(job.progress));
    }
    return succeeded(job);
  } finally {
    bar?.clear();
    forget();
    link.close();
  }
};
