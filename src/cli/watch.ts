import type { SignalSample } from '../signal/live/sample-record.ts';
import { lineStream, lineTime } from './line-stream.ts';

/** `(1699999999.123456)  plan-1  EngineSpeed  820.25 rpm` */
const textLine = (sample: SignalSample): string => {
  const { plan_id, signal, value, label, unit, valid, timestamp_us } = sample;
  const amount = [value ?? '-', unit, label === null ? '' : `"${label}"`].filter(Boolean).join(' ');
  const mark = valid ? '' : '  (not valid)';
  return `${lineTime(timestamp_us)}  ${plan_id}  ${signal}  ${amount}${mark}\n`;
};

/** Prints samples of signals until the stream ends, is interrupted or its output is closed. */
export const watch = lineStream({ text: textLine });
