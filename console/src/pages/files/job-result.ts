import type { Job } from '../../api/schema.ts';

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const firmwareText = (result: Readonly<Record<string, unknown>>): string => {
  const { device, installed, status } = result;
  const latest = record(result.latest).version;
  const found = `${device ?? 'The device'} has ${installed}: ${status}`;
  return latest === undefined || latest === installed ? found : `${found}, ${latest} is the latest`;
};

/** What a job came to, in a line. */
export const jobOutcome = ({ kind, result, error }: Job): string => {
  if (error) return `${error.code}: ${error.message}`;
  if (result === null || result === undefined) return '';
  return kind === 'firmware_check' ? firmwareText(record(result)) : JSON.stringify(result);
};

/** Milliseconds that a job took; null until it has ended. */
export const jobDurationUs = ({ started_at_us, finished_at_us }: Job): number | null =>
  started_at_us === null || finished_at_us === null ? null : finished_at_us - started_at_us;
