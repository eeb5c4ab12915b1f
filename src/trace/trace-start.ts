import { BusbarError } from '../base/errors/busbar-error.ts';
import type { TraceFormat } from './trace-format.ts';

/** SYSTEMTIME starts in this year. */
export const firstYear = 1601;
export const lastYear = 9999;

export const lastUnixSecond = 253_402_300_799;

export const isRepresentable = (unixMs: number): boolean => {
  const year = new Date(unixMs).getFullYear();
  return year >= firstYear && year <= lastYear;
};

export const refuseInvalidStart = (format: TraceFormat, startUnixUs: number): void => {
  if (isRepresentable(startUnixUs / 1000)) return;
  throw new BusbarError('invalid_trace', {
    message: `The trace starts outside the years ${firstYear} to ${lastYear}, which ${format.toUpperCase()} files support`,
    details: { field: 'input', reason: 'start_out_of_range' },
  });
};
