import type { FirmwareReport, Job } from '../../api/client.ts';

const firmwareText = ({ device, installed, status, latest }: FirmwareReport): string => {
  const found = `${device} ${installed}: ${status.replaceAll('_', ' ')}`;
  return latest === null || latest.version === installed
    ? found
    : `${found}, latest ${latest.version}`;
};

export const jobOutcome = ({ result, error }: Job): string => {
  if (error) return `${error.code}: ${error.message}`;
  return result ? firmwareText(result) : '';
};

export const jobDurationUs = ({ started_at_us, finished_at_us }: Job): number | null =>
  started_at_us === null || finished_at_us === null ? null : finished_at_us - started_at_us;
