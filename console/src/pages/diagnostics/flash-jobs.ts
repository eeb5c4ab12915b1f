import type { FlashReport, Job } from '../../api/client.ts';
import { formatBytes, formatMicroseconds } from '../../format/figures.ts';

type Progress = NonNullable<Job['progress']>;

export const isUnderWay = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'queued' || state === 'running';

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

export const durationText = ({ started_at_us, finished_at_us }: Job): string =>
  started_at_us === null || finished_at_us === null
    ? ''
    : formatMicroseconds(finished_at_us - started_at_us);
