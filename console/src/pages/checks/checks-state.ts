import { computed, signal } from '@preact/signals';
import type { Job } from '../../api/client.ts';
import { jobs } from '../../state/bench.ts';

/** Newest first, as the service lists jobs. */
export const checkJobs = computed<readonly Job[]>(() =>
  (jobs.data.value?.jobs ?? []).filter(({ kind }) => kind === 'check'),
);

const picked = signal<string | null>(null);

export const pickJob = (job_id: string): void => {
  picked.value = job_id;
};

export const chosenJob = computed<Job | null>(() => {
  const listed = checkJobs.value;
  return listed.find(({ job_id }) => job_id === picked.value) ?? listed[0] ?? null;
});
