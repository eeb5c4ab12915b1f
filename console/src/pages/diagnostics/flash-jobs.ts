import type { FlashReport, Job } from '../../api/client.ts';
import { formatBytes } from '../../format/figures.ts';

type Progress = NonNullable<Job['progress']>;

/** Newest first, as the service lists jobs. */
export const flashJobsOf = (jobs: readonly Job[], ecu: string): readonly Job[] =>
  jobs.filter(({ kind, target }) => kind === 'flash' && target === ecu);

export const progressText = ({
  percent,
  bytes,
  total_bytes,
  step,
  steps,
  name,
}: Progress): string =>
  `${percent.toFixed(1)} %, ${formatBytes(bytes)} of ${formatBytes(total_bytes)}, step ${step} of ${steps}: ${name}`;

export const reportOf = ({ kind, result }: Job): FlashReport | null =>
  kind === 'flash' && result !== null && 'segments' in result ? result : null;
