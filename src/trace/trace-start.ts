import { BusbarError } from '../base/errors/busbar-error.ts';
import type { TraceFormat } from './trace-format.ts';

/** The years that dates in files can tell: SYSTEMTIME begins here, and dates have four digits. */
export const firstYear = 1601;
export const lastYear = 9999;

/** The last second of the last year, in Unix time. */
export const lastUnixSecond = 253_402_300_799;

/** Whether files can tell the local date of that Unix time. */
export const isTellable = (unixMs: number): boolean => {
  const year = new Date(unixMs).getFullYear();
  return year >= firstYear && year <= lastYear;
};

/** Refuses a start that has no date in files of that format. */
export const refuseUntellableStart = (format: TraceFormat, startUnixUs: number): void => {
  if (isTellable(startUnixUs / 1000)) return;
  throw new BusbarError('invalid_trace', {
    message: `The trace starts outside of the years ${firstYear} to ${lastYear}, which have dates in ${format.toUpperCase()} files`,
    details: { field: 'input', reason: 'start_out_of_range' },
  });
};
