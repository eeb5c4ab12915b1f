import { lineStream, lineTime } from './line-stream.ts';

/** A sample as the daemon sends it; `signal watch` documents the rest of its fields. */
interface WatchedSample {
  readonly plan_id: string;
  readonly signal: string;
  readonly value: string | null;
  readonly label: string | null;
  readonly unit: string;
  readonly valid: boolean;
  readonly timestamp_us: number;
}

/** `(1699999999.123456)  plan-1  EngineSpeed  820.25 rpm` */
const textLine = (sample: WatchedSample): string => {
  const { plan_id, signal, value, label, unit, valid, timestamp_us } = sample;
  const amount = [value ?? '-', unit, label === null ? '' : `"${label}"`].filter(Boolean).join(' ');
  const mark = valid ? '' : '  (not valid)';
  return `${lineTime(timestamp_us)}  ${plan_id}  ${signal}  ${amount}${mark}\n`;
};

/** Prints samples of signals until the stream ends, is interrupted or its output is closed. */
export const watch = lineStream({ text: textLine });
