import type { FirmwareReport, Job } from '../../api/client.ts';

const firmwareText = ({ device, installed, status, latest }: FirmwareReport): string => {
  const found = `${device} has ${installed}: ${status}`;
  return latest === null || latest.version === installed
    ? found
    : `${found}, ${latest.version} is the latest`;
};

/** What a job came to, in a line. */
export const jobOutcome = ({ result, error }: Job): string => {
  if (error) return `${error.code}: ${error.message}`;
  return result ? firmwareText(result) : '';
};

/** Microseconds that a job took; null until it has ended. */
export const jobDurationUs = ({ started_at_us, finished_at_us }: Job): number | null =>
  started_at_us === null || finished_at_us === null ? null : finished_at_us - started_at_us;
