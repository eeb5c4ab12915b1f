import type { Job } from '../api/client.ts';
import { formatMicroseconds } from '../format/figures.ts';

export const isUnderWay = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'queued' || state === 'running';

export const durationText = ({
  started_at_us,
  finished_at_us,
}: Pick<Job, 'started_at_us' | 'finished_at_us'>): string =>
  started_at_us === null || finished_at_us === null
    ? ''
    : formatMicroseconds(finished_at_us - started_at_us);
