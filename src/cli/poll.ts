import type { ModbusPoll } from '../modbus/service/poll-record.ts';
import { lineStream, lineTime } from './line-stream.ts';
import { wireLines } from './wire-lines.ts';

/** `(1699999999.123456)  #12  21.5 22`, and the number of missed polls. */
const textLine = (result: ModbusPoll): string => {
  const { sequence, timestamp_us, values, error, missed, coalesced } = result;
  const found = error ? `${error.code}: ${error.message}` : (values ?? []).join(' ');
  const counts = [
    missed > 0 ? `missed ${missed}` : '',
    coalesced > 0 ? `coalesced ${coalesced}` : '',
  ];
  const left = counts.filter(Boolean).join(', ');
  return `${lineTime(timestamp_us)}  #${sequence}  ${found}${left === '' ? '' : `  (${left})`}\n`;
};

/**
 * Prints polls until the stream ends, is interrupted or its output is closed. Like ping, it
 * fails if no poll was answered.
 */
export const poll = lineStream<ModbusPoll>({
  text: textLine,
  aside: ({ trace = [] }) => wireLines(trace),
  success: { isIn: ({ error }) => error === null, missing: 'no poll succeeded' },
});
