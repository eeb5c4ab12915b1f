import type { GatewaySignal } from '../gateway/instances/instance-record.ts';
import { lineStream, lineTime } from './line-stream.ts';

/** `(1699999999.123456)  pump  55 %`, and how good it is where it is not. */
const textLine = ({ id, value, label, unit, quality, observed_us }: GatewaySignal): string => {
  const amount = [value ?? '-', unit, label === null ? '' : `"${label}"`].filter(Boolean).join(' ');
  const mark = quality === 'good' ? '' : `  (${quality})`;
  const time = observed_us === null ? '(never)' : lineTime(observed_us);
  return `${time}  ${id}  ${amount}${mark}\n`;
};

/** Prints signals of an instance until the stream ends, is interrupted or its output is closed. */
export const watchInstance = lineStream({ text: textLine });
