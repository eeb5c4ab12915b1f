import type { Job } from '../../api/client.ts';
import { formatBytes, formatMicroseconds } from '../../format/figures.ts';

export interface FlashProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  /** From 0 to 100. */
  readonly percent: number;
  readonly step: string;
}

export const isUnderWay = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'queued' || state === 'running';

/** Newest first, as the service lists jobs. */
export const flashJobsOf = (jobs: readonly Job[], ecu: string): readonly Job[] =>
  jobs.filter(({ kind, target }) => kind === 'uds_flash' && target === ecu);

export const progressText = ({ bytes, totalBytes, percent, step }: FlashProgress): string =>
  `${formatBytes(bytes)} of ${formatBytes(totalBytes)}, ${percent} %${step === '' ? '' : `: ${step}`}`;

export const rateText = (bytes: number, durationUs: number): string =>
  durationUs <= 0 ? '' : `${formatBytes(Math.round((bytes * 1_000_000) / durationUs))}/s`;

export const durationText = ({ started_at_us, finished_at_us }: Job): string =>
  started_at_us === null || finished_at_us === null
    ? ''
    : formatMicroseconds(finished_at_us - started_at_us);
