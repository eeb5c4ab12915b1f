import { call, type Job } from '../api/client.ts';
import { jobs } from '../state/bench.ts';
import { unusableWhile } from '../ui/fields.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { act } from './act.ts';

const cancel = act(async (job_id: string) => {
  await call('job.cancel', { job_id });
  await jobs.refresh();
});

interface JobProgressProps {
  /** Start of the test ids, and the name of the progress bar. */
  readonly name: string;
  readonly label: string;
  /** null once no job is under way: the error of its cancellation remains. */
  readonly job: Job | null;
  readonly text: (progress: NonNullable<Job['progress']>) => string;
  readonly cancelTitle?: string;
}

export const JobProgress = ({ name, label, job, text, cancelTitle }: JobProgressProps) => (
  <>
    {job && (
      <div class="job-progress" data-testid={`${name}-progress`}>
        <progress max={100} value={job.progress?.percent ?? 0} aria-label={label} />
        <p role="status">{job.progress ? text(job.progress) : 'Waiting to start…'}</p>
        <button
          type="button"
          class="danger"
          data-testid={`${name}-cancel`}
          title={cancelTitle}
          {...unusableWhile(cancel.isBusy.value)}
          onClick={() => void cancel.run(job.job_id)}
        >
          Cancel
        </button>
      </div>
    )}
    <ErrorNotice error={cancel.error.value} testId={`${name}-cancel-error`} />
  </>
);
